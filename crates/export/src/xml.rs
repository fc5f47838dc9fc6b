//! The one place that writes text into XML and HTML.

/// A text as it stands in an element or in a quoted attribute.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // A reader takes a plain one for the end of a line.
            '\r' => out.push_str("&#13;"),
            c => out.push(c),
        }
    }
    out
}
