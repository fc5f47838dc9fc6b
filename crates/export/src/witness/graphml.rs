//! Witnesses in format 1.0: GraphML.
//!
//! Written: a violation witness is a path of edges, one for each input and one
//! to the violation; a correctness witness has a node for each loop, entered
//! by an edge to its head. Read: any automaton in which one path leads from
//! the entry to the violation, besides ways into sinks.

use super::{About, Claim, Content, Location, Problem, Waypoint, What, Witness, time, wrong};
use attest_proof::DataModel;
use roxmltree::{Document, Node};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Keys and what they belong to.
const KEYS: &[(&str, &str, &str)] = &[
    ("witness-type", "graph", "string"),
    ("sourcecodelang", "graph", "string"),
    ("producer", "graph", "string"),
    ("specification", "graph", "string"),
    ("programfile", "graph", "string"),
    ("programhash", "graph", "string"),
    ("architecture", "graph", "string"),
    ("creationtime", "graph", "string"),
    ("entry", "node", "boolean"),
    ("sink", "node", "boolean"),
    ("violation", "node", "boolean"),
    ("invariant", "node", "string"),
    ("invariant.scope", "node", "string"),
    ("assumption", "edge", "string"),
    ("assumption.scope", "edge", "string"),
    ("assumption.resultfunction", "edge", "string"),
    ("control", "edge", "string"),
    ("startline", "edge", "int"),
    ("endline", "edge", "int"),
    ("startoffset", "edge", "int"),
    ("endoffset", "edge", "int"),
    ("enterLoopHead", "edge", "boolean"),
    ("enterFunction", "edge", "string"),
    ("returnFromFunction", "edge", "string"),
];

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// Writes a witness.
pub fn write(witness: &Witness) -> String {
    let about = &witness.about;
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (id, of, ty) in KEYS {
        let _ = write!(
            out,
            " <key attr.name=\"{id}\" attr.type=\"{ty}\" for=\"{of}\" id=\"{id}\""
        );
        out.push_str(match *ty {
            "boolean" => "><default>false</default></key>\n",
            _ => "/>\n",
        });
    }
    out.push_str(" <graph edgedefault=\"directed\">\n");
    let mut datum = |indent: &str, key: &str, value: &str| {
        format!("{indent}<data key=\"{key}\">{}</data>\n", escaped(value))
    };
    let (kind, body) = match &witness.content {
        Content::Correctness(claims) => ("correctness_witness", correctness(claims, &mut datum)),
        Content::Violation(segments) => ("violation_witness", violation(segments, &mut datum)),
    };
    let (file, hash) = about.files.first().cloned().unwrap_or_default();
    let architecture = match about.data_model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    for (key, value) in [
        ("witness-type", kind),
        ("sourcecodelang", "C"),
        ("producer", concat!("attest ", env!("CARGO_PKG_VERSION"))),
        ("specification", &about.specification),
        ("programfile", &file),
        ("programhash", &hash),
        ("architecture", architecture),
        ("creationtime", &about.creation_time),
    ] {
        out.push_str(&datum("  ", key, value));
    }
    out.push_str(&body);
    out.push_str(" </graph>\n</graphml>\n");
    out
}

type Datum<'a> = dyn FnMut(&str, &str, &str) -> String + 'a;

fn correctness(claims: &[Claim], datum: &mut Datum<'_>) -> String {
    let mut out = format!(
        "  <node id=\"start\">\n{}  </node>\n",
        datum("   ", "entry", "true")
    );
    for (i, claim) in claims.iter().enumerate() {
        let _ = write!(
            out,
            "  <node id=\"loop{i}\">\n{}",
            datum("   ", "invariant", &claim.value)
        );
        if let Some(function) = &claim.location.function {
            out.push_str(&datum("   ", "invariant.scope", function));
        }
        let line = claim.location.line.to_string();
        let _ = write!(
            out,
            "  </node>\n  <edge source=\"start\" target=\"loop{i}\">\n{}{}{}  </edge>\n",
            datum("   ", "enterLoopHead", "true"),
            datum("   ", "startline", &line),
            datum("   ", "endline", &line),
        );
    }
    out
}

fn violation(segments: &[Vec<Waypoint>], datum: &mut Datum<'_>) -> String {
    let mut out = format!(
        "  <node id=\"n0\">\n{}  </node>\n",
        datum("   ", "entry", "true")
    );
    for (i, waypoint) in segments.iter().flatten().enumerate() {
        let next = i + 1;
        let location = &waypoint.location;
        match waypoint.what {
            What::Target => {
                let _ = write!(
                    out,
                    "  <node id=\"n{next}\">\n{}  </node>\n",
                    datum("   ", "violation", "true")
                );
            }
            _ => {
                let _ = writeln!(out, "  <node id=\"n{next}\"/>");
            }
        }
        let line = location.line.to_string();
        let _ = write!(
            out,
            "  <edge source=\"n{i}\" target=\"n{next}\">\n{}{}",
            datum("   ", "startline", &line),
            datum("   ", "endline", &line)
        );
        if let Some(constraint) = &waypoint.constraint {
            out.push_str(&datum("   ", "assumption", &format!("{constraint};")));
            for (key, value) in [
                ("assumption.resultfunction", &location.callee),
                ("assumption.scope", &location.function),
            ] {
                if let Some(value) = value {
                    out.push_str(&datum("   ", key, value));
                }
            }
        }
        out.push_str("  </edge>\n");
    }
    out
}

type Data = BTreeMap<String, String>;

fn data(node: Node<'_, '_>, keys: &BTreeSet<String>) -> Result<Data, Problem> {
    let mut out = Data::new();
    for child in node.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "data" => {
                let Some(key) = child.attribute("key") else {
                    return wrong("a `data` element has no key");
                };
                if !keys.contains(key) {
                    return wrong(format!("the key `{key}` is not declared"));
                }
                let text = child.text().unwrap_or_default().trim().to_owned();
                let known = KEYS.iter().find(|(id, ..)| *id == key);
                if known.is_some_and(|(_, _, ty)| *ty == "boolean")
                    && text != "true"
                    && text != "false"
                {
                    return wrong(format!("`{text}` is no value of `{key}`"));
                }
                out.insert(key.into(), text);
            }
            "node" | "edge" if node.tag_name().name() == "graph" => {}
            other => return wrong(format!("unexpected element `{other}`")),
        }
    }
    Ok(out)
}

/// An edge: its data and where it leads.
struct Edge {
    data: Data,
    target: String,
}

/// Reads a witness.
pub fn read(text: &str) -> Result<Witness, Problem> {
    let document =
        Document::parse(text).map_err(|why| Problem::Wrong(format!("this is no XML: {why}")))?;
    let root = document.root_element();
    if root.tag_name().name() != "graphml" {
        return wrong("the document is no GraphML");
    }
    let children = |name: &'static str| {
        let all = root.children().filter(Node::is_element);
        all.filter(move |n| n.tag_name().name() == name)
    };
    let keys: BTreeSet<String> = children("key")
        .filter_map(|key| key.attribute("id").map(str::to_owned))
        .collect();
    let mut graphs = children("graph");
    let (Some(graph), None) = (graphs.next(), graphs.next()) else {
        return wrong("a witness has one graph");
    };
    if graph.attribute("edgedefault") != Some("directed") {
        return wrong("the graph is not directed");
    }
    let about = data(graph, &keys)?;
    let mut nodes: BTreeMap<String, Data> = BTreeMap::new();
    let mut edges: BTreeMap<String, Vec<Edge>> = BTreeMap::new();
    for child in graph.children().filter(Node::is_element) {
        let attribute = |name: &str| match child.attribute(name) {
            Some(value) => Ok(value.to_owned()),
            None => wrong(format!("a {} has no `{name}`", child.tag_name().name())),
        };
        match child.tag_name().name() {
            "node" => {
                let id = attribute("id")?;
                if nodes.insert(id.clone(), data(child, &keys)?).is_some() {
                    return wrong(format!("two nodes are `{id}`"));
                }
            }
            "edge" => {
                let (source, target) = (attribute("source")?, attribute("target")?);
                let data = data(child, &keys)?;
                edges.entry(source).or_default().push(Edge { data, target });
            }
            _ => {}
        }
    }
    let graph = Automaton { nodes, edges };
    graph.check()?;
    let need = |key: &str| match about.get(key) {
        Some(value) if !value.is_empty() => Ok(value.clone()),
        _ => wrong(format!("`{key}` is missing")),
    };
    let kind = need("witness-type")?;
    if need("sourcecodelang")? != "C" {
        return wrong("the language is not C");
    }
    need("producer")?;
    // Early witnesses have no time.
    let creation_time = about.get("creationtime").cloned().unwrap_or_default();
    if about.contains_key("creationtime") && !time::is_iso(&creation_time) {
        return wrong(format!("`{creation_time}` is no time"));
    }
    let file = need("programfile")?;
    let content = match kind.as_str() {
        "correctness_witness" => graph.correctness(&file)?,
        "violation_witness" => graph.violation(&file)?,
        other => return wrong(format!("`{other}` is no kind of witness")),
    };
    Ok(Witness {
        about: About {
            files: vec![(file, need("programhash")?)],
            specification: need("specification")?,
            data_model: match need("architecture")?.as_str() {
                "32bit" => DataModel::Ilp32,
                "64bit" => DataModel::Lp64,
                other => return wrong(format!("`{other}` is no architecture")),
            },
            creation_time,
            uuid: String::new(),
            entry: "main".into(),
        },
        content,
    })
}

struct Automaton {
    nodes: BTreeMap<String, Data>,
    edges: BTreeMap<String, Vec<Edge>>,
}

impl Automaton {
    fn is(&self, node: &str, key: &str) -> bool {
        let data = self.nodes.get(node);
        data.and_then(|d| d.get(key)).is_some_and(|v| v == "true")
    }

    /// Edges lead from and to nodes that exist, none leaves a sink, and numbers are numbers.
    fn check(&self) -> Result<(), Problem> {
        for (source, edges) in &self.edges {
            if !self.nodes.contains_key(source) {
                return wrong(format!("an edge leaves `{source}`, which is no node"));
            }
            if self.is(source, "sink") {
                return wrong(format!("an edge leaves the sink `{source}`"));
            }
            for edge in edges {
                if !self.nodes.contains_key(&edge.target) {
                    return wrong(format!(
                        "an edge leads to `{}`, which is no node",
                        edge.target
                    ));
                }
                for key in ["startline", "endline", "startoffset", "endoffset"] {
                    let value = edge.data.get(key);
                    if value.is_some_and(|v| v.parse::<u32>().is_err()) {
                        return wrong(format!("`{key}` is no number"));
                    }
                }
                let control = edge.data.get("control");
                if control.is_some_and(|c| c != "condition-true" && c != "condition-false") {
                    return wrong("`control` is condition-true or condition-false");
                }
            }
        }
        let entries = self.nodes.keys().filter(|n| self.is(n, "entry")).count();
        match entries {
            1 => Ok(()),
            n => wrong(format!("there are {n} entry nodes")),
        }
    }

    fn entry(&self) -> &str {
        let entry = self.nodes.keys().find(|n| self.is(n, "entry"));
        entry.map_or("", String::as_str)
    }

    fn correctness(&self, file: &str) -> Result<Content, Problem> {
        let mut claims = Vec::new();
        for edge in self.edges.values().flatten() {
            let Some(value) = self.nodes[&edge.target].get("invariant") else {
                continue;
            };
            if value == "true" || value == "1" {
                continue;
            }
            let number = |edge: &Edge| edge.data.get("startline")?.parse().ok();
            // The edge into the node is what comes before, those out of it what comes next.
            let mut after = self.edges.get(&edge.target).into_iter().flatten();
            let claim = Claim {
                of_loop: edge.data.get("enterLoopHead").is_some_and(|v| v == "true"),
                loose: true,
                next: after.find_map(number),
                location: Location {
                    file: file.into(),
                    line: number(edge).unwrap_or_default(),
                    column: None,
                    function: self.nodes[&edge.target].get("invariant.scope").cloned(),
                    callee: None,
                },
                value: value.clone(),
            };
            if !claims.contains(&claim) {
                claims.push(claim);
            }
        }
        let entered: BTreeSet<&String> = self.edges.values().flatten().map(|e| &e.target).collect();
        for (id, data) in &self.nodes {
            if data.contains_key("violation") || data.contains_key("sink") {
                return wrong(format!("the node `{id}` is one of a violation witness"));
            }
            if data.contains_key("invariant") && !entered.contains(id) {
                return wrong(format!("no edge leads to `{id}`, which has an invariant"));
            }
        }
        Ok(Content::Correctness(claims))
    }

    /// The one path from the entry to the violation.
    fn violation(&self, file: &str) -> Result<Content, Problem> {
        let mut at = self.entry();
        let mut seen = BTreeSet::new();
        let mut path: Vec<&Edge> = Vec::new();
        while !self.is(at, "violation") {
            if !seen.insert(at.to_owned()) {
                let why = "its automaton has a cycle";
                return Err(Problem::Unsupported(why.into()));
            }
            let edges = self.edges.get(at).into_iter().flatten();
            let mut on: Vec<&Edge> = edges
                .filter(|e| !self.is(&e.target, "sink") && self.leads_on(&e.target))
                .collect();
            match (on.pop(), on.is_empty()) {
                (Some(edge), true) => {
                    path.push(edge);
                    at = &edge.target;
                }
                (Some(_), false) => {
                    let why = "its automaton has several ways to the violation";
                    return Err(Problem::Unsupported(why.into()));
                }
                (None, _) => return wrong("no way leads from the entry to a violation"),
            }
        }
        if self.nodes.values().any(|d| d.contains_key("invariant")) {
            return wrong("a violation witness has no invariants");
        }
        let mut segments: Vec<Vec<Waypoint>> = Vec::new();
        let last = path.len().saturating_sub(1);
        for (i, edge) in path.iter().enumerate() {
            segments.extend(waypoints(file, edge).into_iter().map(|w| vec![w]));
            if i == last {
                segments.push(vec![Waypoint {
                    what: What::Target,
                    avoid: false,
                    constraint: None,
                    location: location(file, edge, None),
                }]);
            }
        }
        match segments.is_empty() {
            true => wrong("the entry is the violation"),
            false => Ok(Content::Violation(segments)),
        }
    }

    /// Whether a violation can be reached from a node.
    fn leads_on(&self, node: &str) -> bool {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut work = vec![node];
        while let Some(at) = work.pop() {
            if self.is(at, "violation") {
                return true;
            }
            if seen.insert(at) {
                let edges = self.edges.get(at).into_iter().flatten();
                work.extend(edges.map(|e| e.target.as_str()));
            }
        }
        false
    }
}

fn location(file: &str, edge: &Edge, callee: Option<String>) -> Location {
    let line = edge.data.get("startline").and_then(|l| l.parse().ok());
    Location {
        file: file.into(),
        line: line.unwrap_or(0),
        column: None,
        function: None,
        callee,
    }
}

/// What an edge asks of a run, as far as it is one thing at one line.
fn waypoints(file: &str, edge: &Edge) -> Vec<Waypoint> {
    let mut out = Vec::new();
    if !edge.data.contains_key("startline") {
        return out;
    }
    if let Some(control) = edge.data.get("control") {
        out.push(Waypoint {
            what: What::Branching,
            avoid: false,
            constraint: Some((control == "condition-true").to_string()),
            location: location(file, edge, None),
        });
    }
    if let Some(assumption) = edge.data.get("assumption") {
        let parts = assumption
            .split(';')
            .map(str::trim)
            .filter(|p| !p.is_empty());
        let parts: Vec<String> = parts.map(|p| format!("({p})")).collect();
        let callee = edge.data.get("assumption.resultfunction").cloned();
        let on_result = assumption.contains("\\result");
        if !parts.is_empty() {
            out.push(Waypoint {
                what: if on_result {
                    What::Return
                } else {
                    What::Afterwards
                },
                avoid: false,
                constraint: Some(parts.join(" && ")),
                location: location(file, edge, callee),
            });
        }
    }
    out
}
