//! What the tests of several crates share: a generator of numbers, damage to texts, the
//! source of the workspace, and what to do where a tool is missing.

pub mod source;
pub mod tools;

/// A small generator (xorshift), so that every run is the same.
pub struct Rng(pub u64);

impl Rng {
    /// The next number.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// A text with up to three damages: bits flipped, lines cut or swapped, tokens repeated or replaced, the end cut off.
pub fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut text = text.to_owned();
    for _ in 0..=rng.below(3) {
        text = match rng.below(6) {
            0 => {
                let mut bytes = text.into_bytes();
                if !bytes.is_empty() {
                    let at = rng.below(bytes.len());
                    bytes[at] ^= 1 << rng.below(7);
                }
                String::from_utf8_lossy(&bytes).into_owned()
            }
            1 => change_lines(&text, |lines| {
                lines.remove(rng.below(lines.len()));
            }),
            2 => change_lines(&text, |lines| {
                let (a, b) = (rng.below(lines.len()), rng.below(lines.len()));
                lines.swap(a, b);
            }),
            3 => change_tokens(&text, |tokens| {
                let at = rng.below(tokens.len());
                tokens.insert(at, tokens[at]);
            }),
            4 => change_tokens(&text, |tokens| {
                let (a, b) = (rng.below(tokens.len()), rng.below(tokens.len()));
                tokens[a] = tokens[b];
            }),
            _ => {
                let mut end = rng.below(text.len() + 1);
                while !text.is_char_boundary(end) {
                    end -= 1;
                }
                text[..end].to_owned()
            }
        };
    }
    text
}

fn change_lines(text: &str, f: impl FnOnce(&mut Vec<&str>)) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if !lines.is_empty() {
        f(&mut lines);
    }
    lines.join("\n")
}

fn change_tokens(text: &str, f: impl FnOnce(&mut Vec<&str>)) -> String {
    let mut tokens: Vec<&str> = text.split_inclusive([' ', ',', '\n', '(', ')']).collect();
    if !tokens.is_empty() {
        f(&mut tokens);
    }
    tokens.concat()
}
