//! The page of a comparison: one file with tables and plots, and nothing from elsewhere.
//!
//! Quantile plots are those of SV-COMP: how long the run took that brought a
//! column to this score, where wrong verdicts move the start to the left. Cactus
//! plots have how much time all runs took together up to the n-th that was decided.
//! Where programs have sizes, there is a plot of the growth of each family.

use super::columns::{Columns, Key, Pair};
use super::svg::{Axis, Plot, Series, escape};
use crate::matrix::table::Row;
use crate::matrix::totals::Totals;
use std::collections::BTreeMap;
use std::fmt::Write;

const STYLE: &str = "body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:1150px;\
padding:0 1em;color:#222}table{border-collapse:collapse;margin:1em 0}\
td,th{border:1px solid #ccc;padding:.15em .6em;text-align:right}\
td:first-child,th:first-child{text-align:left}.safe{background:#e6f3e8}.unsafe{background:#fdebd2}\
.unknown,.error{color:#888}.wrong{background:#d1495b;color:#fff}\
.plots{display:flex;flex-wrap:wrap;gap:1em}.plots svg{width:540px}\
svg .title{font-weight:600;font-size:13px}svg .tick{font-size:10px}svg .label{font-size:11px}\
svg .grid{stroke:#e3e3e3}svg .diagonal{stroke:#999;stroke-dasharray:4 3}";

/// The page.
pub fn of(columns: &Columns) -> String {
    let names: Vec<&str> = columns.columns.iter().map(|c| c.name.as_str()).collect();
    let title = format!("attest compare: {}", names.join(", "));
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n",
        escape(&title)
    );
    out.push_str(&summary(columns));
    out.push_str("<div class=\"plots\">\n");
    for pair in columns.pairs() {
        out.push_str(&scatter(pair).svg());
    }
    out.push_str(&quantile(columns).svg());
    out.push_str(&cactus(columns).svg());
    for plot in growth(columns) {
        out.push_str(&plot.svg());
    }
    out.push_str("</div>\n");
    out.push_str(&results(columns));
    out + "</body></html>\n"
}

fn summary(columns: &Columns) -> String {
    let totals = columns.totals();
    let heads = Totals::HEAD.iter().chain(&Totals::SUMMARIES);
    let heads: String = heads.map(|name| format!("<th>{name}</th>")).collect();
    let mut out = format!("<table><tr><th>configuration</th>{heads}</tr>\n");
    for (column, totals) in columns.columns.iter().zip(&totals) {
        let cells = totals.cells().into_iter().chain(totals.summaries());
        let cells: String = cells.map(|cell| format!("<td>{cell}</td>")).collect();
        let name = escape(&column.name);
        let _ = writeln!(out, "<tr><td>{name}</td>{cells}</tr>");
    }
    out.push_str("</table>\n<ul>\n");
    for pair in columns.pairs() {
        let _ = writeln!(out, "<li>{}</li>", escape(&pair.in_words()));
    }
    for key in columns.disagree() {
        let _ = writeln!(
            out,
            "<li class=\"wrong\">they disagree: {}</li>",
            escape(&label(key))
        );
    }
    out + "</ul>\n"
}

fn label((program, size, property): &Key) -> String {
    let mut label = program.clone();
    if let Some(size) = size {
        let _ = write!(label, " [{size}]");
    }
    if !property.is_empty() {
        let _ = write!(label, ", {property}");
    }
    label
}

fn results(columns: &Columns) -> String {
    let mut out = String::from("<table><tr><th>program</th>");
    for column in &columns.columns {
        let _ = write!(out, "<th>{}</th>", escape(&column.name));
    }
    out.push_str("</tr>\n");
    for key in &columns.keys {
        let _ = write!(out, "<tr><td>{}</td>", escape(&label(key)));
        for column in &columns.columns {
            out.push_str(&column.rows.get(key).map_or("<td></td>".into(), cell));
        }
        out.push_str("</tr>\n");
    }
    out + "</table>\n"
}

fn cell(row: &Row) -> String {
    let class = match row.is_wrong() {
        true => "wrong",
        false => &row.verdict,
    };
    let counts = match (row.count("iterations"), row.count("questions")) {
        (Some(rounds), Some(questions)) => format!(", {rounds} rounds, {questions} questions"),
        _ => String::new(),
    };
    let words = format!("{}{counts}", row.reason);
    format!(
        "<td class=\"{}\" title=\"{}\">{} {:.2}</td>",
        escape(class),
        escape(&words),
        escape(&row.verdict),
        row.cpu
    )
}

fn seconds(label: &str) -> Axis {
    Axis {
        label: label.into(),
        log: true,
    }
}

/// The time of a run; one without a verdict is at the limit.
fn place(row: &Row) -> f64 {
    match row.is_decided() {
        true => row.cpu.max(0.01),
        false => row.limit.max(row.cpu),
    }
}

fn scatter(pair: Pair<'_>) -> Plot {
    let mut points = Vec::new();
    for (a, b) in pair.rows() {
        let key = (a.program.clone(), a.size, a.property.clone());
        let words = format!("{}: {} and {}", label(&key), a.verdict, b.verdict);
        points.push((place(a), place(b), words));
    }
    Plot {
        title: format!("{} against {}", pair.a.name, pair.b.name),
        x: seconds(&format!("{}, seconds; undecided at the limit", pair.a.name)),
        y: seconds(&format!("{}, seconds", pair.b.name)),
        series: vec![Series {
            name: String::new(),
            points,
        }],
        lines: false,
        diagonal: true,
    }
}

fn quantile(columns: &Columns) -> Plot {
    let series = columns.columns.iter().map(|column| {
        let wrong = column.rows.values().filter(|row| row.is_wrong());
        let mut score: i64 = wrong.map(Row::score).sum();
        let mut points = Vec::new();
        for (time, points_of) in column.decided() {
            score += points_of;
            points.push((score as f64, time.max(0.01), format!("{score} points")));
        }
        Series {
            name: column.name.clone(),
            points,
        }
    });
    Plot {
        title: "quantiles".into(),
        x: Axis {
            label: "score".into(),
            log: false,
        },
        y: seconds("seconds of the run that brought it there"),
        series: series.collect(),
        lines: true,
        diagonal: false,
    }
}

fn cactus(columns: &Columns) -> Plot {
    let series = columns.columns.iter().map(|column| {
        let mut all = 0.0;
        let mut points = Vec::new();
        for (i, (time, _)) in column.decided().into_iter().enumerate() {
            all += time;
            let n = i + 1;
            points.push((n as f64, all.max(0.01), format!("{n} in {all:.2} s")));
        }
        Series {
            name: column.name.clone(),
            points,
        }
    });
    Plot {
        title: "cactus".into(),
        x: Axis {
            label: "programs decided".into(),
            log: false,
        },
        y: seconds("seconds of all of them"),
        series: series.collect(),
        lines: true,
        diagonal: false,
    }
}

/// Two plots for each family: time and questions to the solver by size.
fn growth(columns: &Columns) -> Vec<Plot> {
    let mut families: BTreeMap<&str, Vec<&Key>> = BTreeMap::new();
    for key in columns.keys.iter().filter(|key| key.1.is_some()) {
        families.entry(&key.0).or_default().push(key);
    }
    let mut plots = Vec::new();
    for (program, keys) in families.into_iter().filter(|(_, keys)| keys.len() > 1) {
        for (what, value) in [
            (
                "seconds",
                (|row| Some(row.cpu.max(0.01))) as fn(&Row) -> Option<f64>,
            ),
            ("questions", |row| {
                Some(row.count("questions")?.max(1) as f64)
            }),
        ] {
            let series = columns.columns.iter().map(|column| {
                let mut points = Vec::new();
                for key in &keys {
                    // Beyond a limit there is nothing to see.
                    let row = column.rows.get(*key).filter(|row| row.is_decided());
                    if let (Some(row), Some(size)) = (row, key.1)
                        && let Some(value) = value(row)
                    {
                        let words = format!("{} at {size}: {value:.2}", column.name);
                        points.push((f64::from(size), value, words));
                    }
                }
                points.sort_by(|a, b| a.0.total_cmp(&b.0));
                Series {
                    name: column.name.clone(),
                    points,
                }
            });
            plots.push(Plot {
                title: format!("{program}: {what}"),
                x: Axis {
                    label: "size".into(),
                    log: false,
                },
                y: Axis {
                    label: what.into(),
                    log: true,
                },
                series: series.collect(),
                lines: true,
                diagonal: false,
            });
        }
    }
    plots
}
