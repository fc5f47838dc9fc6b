//! Plots as SVG: points or lines over two axes, each plain or logarithmic.

pub use attest_export::xml::escaped as escape;
use std::fmt::Write;

/// Colours that can be told apart, in order.
const COLOURS: [&str; 8] = [
    "#1b6ca8", "#d1495b", "#3a7d44", "#edae49", "#6a4c93", "#00798c", "#8d6a4f", "#444444",
];
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 44.0;
const TOP: f64 = 28.0;
const RIGHT: f64 = 14.0;

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What is on it.
    pub label: String,
    /// Equal factors are equal lengths.
    pub log: bool,
}

/// Points of one colour.
#[derive(Clone, Debug)]
pub struct Series {
    /// What they are.
    pub name: String,
    /// Where they are, with words for each.
    pub points: Vec<(f64, f64, String)>,
}

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Its title.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From below.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
    /// Points are connected.
    pub lines: bool,
    /// The line where both are equal.
    pub diagonal: bool,
}

/// From a value to a place.
struct Scale {
    from: f64,
    to: f64,
    log: bool,
    start: f64,
    end: f64,
}

impl Scale {
    fn new(axis: &Axis, values: &[f64], start: f64, end: f64) -> Scale {
        let finite = values.iter().copied().filter(|v| v.is_finite());
        let (mut from, mut to) =
            finite.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
        if from > to {
            (from, to) = (0.0, 1.0);
        }
        if axis.log {
            from = 10f64.powf(from.max(1e-3).log10().floor());
            to = 10f64.powf(to.max(from).log10().ceil());
            if to <= from {
                to = from * 10.0;
            }
        } else {
            from = from.min(0.0);
            if to <= from {
                to = from + 1.0;
            }
        }
        Scale {
            from,
            to,
            log: axis.log,
            start,
            end,
        }
    }

    fn at(&self, value: f64) -> f64 {
        let part = match self.log {
            true => {
                let value = value.max(self.from).log10();
                (value - self.from.log10()) / (self.to.log10() - self.from.log10())
            }
            false => (value - self.from) / (self.to - self.from),
        };
        self.start + part.clamp(0.0, 1.0) * (self.end - self.start)
    }

    fn ticks(&self) -> Vec<f64> {
        if self.log {
            let mut ticks = vec![self.from];
            while ticks[ticks.len() - 1] * 10.0 <= self.to * 1.01 {
                ticks.push(ticks[ticks.len() - 1] * 10.0);
            }
            return ticks;
        }
        let rough = (self.to - self.from) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power);
        let step = step.into_iter().find(|s| *s >= rough).unwrap_or(rough);
        let first = (self.from / step).ceil();
        let places = 0..=((self.to - first * step) / step).floor().max(0.0) as usize;
        places.map(|i| (first + i as f64) * step).collect()
    }
}

fn number(value: f64) -> String {
    match value.abs() {
        v if v >= 1e6 => format!("{value:.0e}"),
        v if v >= 1.0 || v == 0.0 => format!("{value:.0}"),
        _ => format!("{value}"),
    }
}

impl Plot {
    /// The picture.
    pub fn svg(&self) -> String {
        let of = |pick: fn(&(f64, f64, String)) -> f64| -> Vec<f64> {
            self.series
                .iter()
                .flat_map(|s| s.points.iter().map(pick))
                .collect()
        };
        let (mut xs, mut ys) = (of(|p| p.0), of(|p| p.1));
        if self.diagonal {
            xs.extend(ys.clone());
            ys = xs.clone();
        }
        let x = Scale::new(&self.x, &xs, LEFT, WIDTH - RIGHT);
        let y = Scale::new(&self.y, &ys, HEIGHT - BOTTOM, TOP);
        let mut out = format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{0}\">\
             <text class=\"title\" x=\"{LEFT}\" y=\"16\">{0}</text>\n",
            escape(&self.title)
        );
        for tick in x.ticks() {
            let at = x.at(tick);
            let _ = writeln!(
                out,
                "<line class=\"grid\" x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{}\"/>\
                 <text class=\"tick\" text-anchor=\"middle\" x=\"{at:.1}\" y=\"{}\">{}</text>",
                HEIGHT - BOTTOM,
                HEIGHT - BOTTOM + 14.0,
                number(tick)
            );
        }
        for tick in y.ticks() {
            let at = y.at(tick);
            let _ = writeln!(
                out,
                "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{}\" y2=\"{at:.1}\"/>\
                 <text class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1}\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 5.0,
                at + 3.5,
                number(tick)
            );
        }
        let _ = writeln!(
            out,
            "<text class=\"label\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>\
             <text class=\"label\" text-anchor=\"middle\" transform=\"translate(14 {}) rotate(-90)\">{}</text>",
            (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - 8.0,
            escape(&self.x.label),
            (TOP + HEIGHT - BOTTOM) / 2.0,
            escape(&self.y.label)
        );
        if self.diagonal {
            let _ = writeln!(
                out,
                "<line class=\"diagonal\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
                x.at(x.from),
                y.at(x.from),
                x.at(x.to),
                y.at(x.to)
            );
        }
        for (i, series) in self.series.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            if self.lines {
                let places = series.points.iter();
                let places: Vec<String> = places
                    .map(|p| format!("{:.1},{:.1}", x.at(p.0), y.at(p.1)))
                    .collect();
                let _ = writeln!(
                    out,
                    "<polyline fill=\"none\" stroke=\"{colour}\" points=\"{}\"/>",
                    places.join(" ")
                );
            }
            for (px, py, words) in &series.points {
                let _ = writeln!(
                    out,
                    "<circle fill=\"{colour}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"><title>{}</title></circle>",
                    x.at(*px),
                    y.at(*py),
                    escape(words)
                );
            }
            if self.series.len() > 1 {
                let _ = writeln!(
                    out,
                    "<text class=\"tick\" fill=\"{colour}\" x=\"{}\" y=\"{}\">{}</text>",
                    LEFT + 8.0,
                    TOP + 12.0 + 12.0 * i as f64,
                    escape(&series.name)
                );
            }
        }
        out + "</svg>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_order_and_stay_inside() {
        for log in [false, true] {
            let axis = Axis {
                label: "seconds".into(),
                log,
            };
            let values = [0.02, 0.5, 3.0, 60.0];
            let scale = Scale::new(&axis, &values, 0.0, 100.0);
            let places = values.map(|v| scale.at(v));
            assert!(places.is_sorted(), "{places:?}");
            assert!(places.iter().all(|p| (0.0..=100.0).contains(p)));
            assert!(
                (2..12).contains(&scale.ticks().len()),
                "{:?}",
                scale.ticks()
            );
        }
    }

    #[test]
    fn a_plot_of_nothing_is_a_plot() {
        let axis = |label: &str| Axis {
            label: label.into(),
            log: true,
        };
        let plot = Plot {
            title: "a < b".into(),
            x: axis("x"),
            y: axis("y"),
            series: Vec::new(),
            lines: true,
            diagonal: true,
        };
        let svg = plot.svg();
        assert!(svg.contains("a &lt; b") && svg.ends_with("</svg>\n"));
    }
}
