//! The objects that the caller of an entry allocates, and the choices of each pointer.
//!
//! For each type that a parameter points to, directly or not, there is a pool of objects: arrays
//! with arbitrary contents. A pointer is null, or points to any element of any object of its pool,
//! or to a part of the right type in another object. With as many objects as parameters every form
//! of aliasing is covered, and the number of objects grows with the number of types and not with
//! the depth of the heap. By symmetry the first parameter of a type only uses the first object, the
//! second one the first two, etc.: other choices only swap the names.

use super::types::{BYTES, Class, Shape, Target, Types, no_arguments};
use crate::caller::*;
use crate::program::{Bail, ObjectId, Sort};
use attest_llvm::ir::MdId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The number of choices of one pointer above which places inside other types are left out.
const MOST_PLACES: usize = 256;
/// The number of pointers inside objects and booleans above which fewer types get objects.
const MOST_SLOTS: usize = 128;
/// The number of types searched for cycles.
const MOST_TYPES: usize = 1000;

/// The meaning of a parameter of the IR in C.
#[derive(Clone, Debug)]
pub enum Source {
    /// An arbitrary scalar; whether it is signed.
    Scalar(bool),
    /// A pointer to this, and whether it is `restrict`.
    Pointer(Option<MdId>, bool),
    /// The address of a structure that is passed by value.
    Value(Option<MdId>),
    /// The address for a structure that is returned, with its size.
    Result(u64),
}

/// A scalar parameter of the IR.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name in C.
    pub name: String,
    /// The number of the IR's parameter.
    pub parameter: usize,
    /// Bytes from the start of the parameter's value.
    pub offset: u64,
    /// Its sort.
    pub sort: Sort,
    /// Its meaning in C.
    pub source: Source,
}

/// A function whose address is taken.
pub struct Candidate {
    pub name: Arc<str>,
    pub object: ObjectId,
    /// The key of its type, if there is debug information.
    pub key: Option<String>,
    /// Parameters and results.
    pub signature: (Vec<Sort>, Vec<Sort>),
}

/// The objects of a type.
struct Pool {
    target: Target,
    depth: u32,
    /// The number of parameters that point to the type.
    params: u32,
    /// Whether pointers inside objects point to the type.
    inside: bool,
    objects: Vec<usize>,
}

/// A possible target of pointers.
#[derive(Clone)]
struct Spot {
    object: usize,
    offset: u64,
    path: String,
    /// Whether it is an element of its pool's array, rather than a part of one.
    element: bool,
}

struct Planner<'t, 'm> {
    types: &'t Types<'m>,
    bounds: Bounds,
    candidates: &'t [Candidate],
    pools: Vec<Pool>,
    pool_of: FxHashMap<String, usize>,
    objects: Vec<ArgumentObject>,
    shapes: Vec<Shape>,
    /// Places by the key of their type, and array elements of any type.
    spots: FxHashMap<String, Vec<Spot>>,
    starts: Vec<Spot>,
    nulls: Vec<(usize, u64)>,
    notes: Vec<String>,
}

/// The plan, and the booleans that must be 0 or 1: object and offset.
pub type Plan = (Caller, Vec<(usize, u64)>);

/// Why there is no plan.
enum Failed {
    /// There are too many pointers; with fewer types it may work.
    TooLarge,
    /// A type that cannot be an argument.
    Bail(Bail),
}

impl From<Bail> for Failed {
    fn from(bail: Bail) -> Failed {
        Failed::Bail(bail)
    }
}

/// Makes the plan of a caller, as deep as the bounds say or as its size allows.
pub fn plan(
    types: &Types<'_>,
    bounds: Bounds,
    candidates: &[Candidate],
    function: Arc<str>,
    params: &[Param],
) -> Result<Plan, Bail> {
    for depth in (1..=bounds.depth.max(1)).rev() {
        let bounds = Bounds { depth, ..bounds };
        match plan_within(types, bounds, candidates, function.clone(), params) {
            Ok(plan) => return Ok(plan),
            Err(Failed::Bail(bail)) => return Err(bail),
            Err(Failed::TooLarge) => {}
        }
    }
    Err(no_arguments(format!(
        "too large: more than {MOST_SLOTS} pointers or truth values are inside"
    )))
}

fn plan_within(
    types: &Types<'_>,
    bounds: Bounds,
    candidates: &[Candidate],
    function: Arc<str>,
    params: &[Param],
) -> Result<Plan, Failed> {
    let mut planner = Planner {
        types,
        bounds,
        candidates,
        pools: Vec::new(),
        pool_of: FxHashMap::default(),
        objects: Vec::new(),
        shapes: Vec::new(),
        spots: FxHashMap::default(),
        starts: Vec::new(),
        nulls: Vec::new(),
        notes: Vec::new(),
    };
    planner.find_types(params)?;
    planner.make_pools()?;
    let mut inputs = Vec::new();
    let mut passed = Vec::new();
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    for param in params {
        let value = planner.argument(param, &mut seen, &mut inputs)?;
        passed.push(Passed {
            parameter: param.parameter,
            offset: param.offset,
            sort: param.sort,
            value,
        });
    }
    let bools = planner.contents(&mut inputs)?;
    let caller = Caller {
        function,
        objects: planner.objects,
        inputs,
        passed,
        nulls: planner.nulls,
        notes: planner.notes,
    };
    Ok((caller, bools))
}

impl Planner<'_, '_> {
    /// The types that get objects, breadth first from the parameters.
    fn find_types(&mut self, params: &[Param]) -> Result<(), Bail> {
        for param in params {
            match &param.source {
                Source::Scalar(_) | Source::Result(_) => {}
                Source::Pointer(ty, true) | Source::Value(ty) => {
                    let target = self.types.target(*ty)?;
                    self.slots_lead_to(&target, 1)?;
                }
                Source::Pointer(ty, false) => {
                    let target = self.types.target(*ty)?;
                    if let Some(pool) = self.pool(target, 1) {
                        self.pools[pool].params += 1;
                    }
                }
            }
        }
        let mut at = 0;
        while at < self.pools.len() {
            let (target, depth) = (self.pools[at].target.clone(), self.pools[at].depth);
            self.slots_lead_to(&target, depth)?;
            at += 1;
        }
        Ok(())
    }

    /// The pool of a type; functions have none.
    fn pool(&mut self, target: Target, depth: u32) -> Option<usize> {
        if target.class == Class::Function {
            return None;
        }
        if let Some(&known) = self.pool_of.get(&target.key) {
            return Some(known);
        }
        let at = self.pools.len();
        self.pool_of.insert(target.key.clone(), at);
        self.pools.push(Pool {
            target,
            depth,
            params: 0,
            inside: false,
            objects: Vec::new(),
        });
        Some(at)
    }

    fn slots_lead_to(&mut self, target: &Target, depth: u32) -> Result<(), Bail> {
        if depth >= self.bounds.depth {
            return Ok(());
        }
        let shape = self.shape(target, 1)?;
        for ty in shape.slots.iter().flat_map(|s| &s.targets) {
            let target = self.types.target(*ty)?;
            if let Some(pool) = self.pool(target, depth + 1) {
                self.pools[pool].inside = true;
            }
        }
        Ok(())
    }

    /// The contents of an array of this many elements.
    fn shape(&self, target: &Target, elements: u64) -> Result<Shape, Bail> {
        let mut shape = Shape::default();
        if target.class == Class::Opaque {
            return Ok(shape);
        }
        for i in 0..elements {
            let path = match elements {
                1 => String::new(),
                _ => format!("[{i}]"),
            };
            let at = i.saturating_mul(target.size);
            self.types.walk(target.ty, at, &path, &mut shape)?;
        }
        if let Some((size, element)) = target.flexible {
            for i in 0..u64::from(self.bounds.scalars) {
                let path = format!(".[{i}]");
                let at = target.size.saturating_add(i.saturating_mul(size));
                self.types.walk(element, at, &path, &mut shape)?;
            }
        }
        Ok(shape)
    }

    /// The number of elements of an object of a type.
    fn elements(&self, target: &Target) -> Result<u64, Bail> {
        Ok(match target.class {
            Class::Byte => self.bounds.bytes.max(1).into(),
            Class::Scalar => self.bounds.scalars.max(1).into(),
            Class::Opaque | Class::Function => 1,
            Class::Aggregate if target.flexible.is_some() || self.is_recursive(target)? => 1,
            Class::Aggregate => self.bounds.aggregates.max(1).into(),
        })
    }

    /// Whether a type points back to itself, directly or not.
    fn is_recursive(&self, target: &Target) -> Result<bool, Bail> {
        let mut seen = FxHashSet::default();
        let mut work = vec![target.clone()];
        while let Some(at) = work.pop() {
            if seen.len() > MOST_TYPES {
                return Ok(true);
            }
            for ty in self.shape(&at, 1)?.slots.iter().flat_map(|s| &s.targets) {
                let next = self.types.target(*ty)?;
                if next.key == target.key {
                    return Ok(true);
                }
                if next.class == Class::Aggregate && seen.insert(next.key.clone()) {
                    work.push(next);
                }
            }
        }
        Ok(false)
    }

    fn make_pools(&mut self) -> Result<(), Bail> {
        for at in 0..self.pools.len() {
            let pool = &self.pools[at];
            let more = if pool.inside { self.bounds.more } else { 0 };
            let (target, count) = (pool.target.clone(), pool.params + more);
            let elements = self.elements(&target)?;
            for number in 1..=count {
                let object = self.object(&target, elements, &format!("#{number}"))?;
                self.pools[at].objects.push(object);
                self.add_spots(object, &target, elements);
            }
        }
        Ok(())
    }

    /// A new object.
    fn object(&mut self, target: &Target, elements: u64, mark: &str) -> Result<usize, Bail> {
        let shape = self.shape(target, elements)?;
        let room = target.flexible.map_or(0, |(size, _)| size);
        let size = target.size.checked_mul(elements);
        let room = room.checked_mul(self.bounds.scalars.into());
        let size = size.zip(room).and_then(|(a, b)| a.checked_add(b));
        let size = size.ok_or_else(|| no_arguments("very large"))?;
        let name = match elements {
            1 => format!("{} {mark}", target.name),
            n if target.name.ends_with('*') => format!("{}[{n}] {mark}", target.name),
            n => format!("{}[{n}] {mark}", target.name.trim_end()),
        };
        self.objects.push(ArgumentObject {
            name,
            size,
            scalars: shape.scalars.clone(),
        });
        self.shapes.push(shape);
        Ok(self.objects.len() - 1)
    }

    /// Adds an object's places as targets of pointers of the right types.
    fn add_spots(&mut self, object: usize, target: &Target, elements: u64) {
        let mut seen = FxHashSet::default();
        if target.class == Class::Opaque {
            let spot = Spot {
                object,
                offset: 0,
                path: String::new(),
                element: true,
            };
            self.starts.push(spot.clone());
            self.spots.entry(target.key.clone()).or_default().push(spot);
        }
        for part in &self.shapes[object].parts {
            let whole = part.offset / target.size;
            let element =
                part.key == target.key && part.offset % target.size == 0 && whole < elements;
            let spot = Spot {
                object,
                offset: part.offset,
                path: part.path.clone(),
                element,
            };
            if !seen.insert((part.offset, part.key.clone())) {
                continue;
            }
            if element && target.key != BYTES {
                self.starts.push(spot.clone());
            }
            self.spots.entry(part.key.clone()).or_default().push(spot);
        }
    }

    /// The value of a parameter, and its input.
    fn argument(
        &mut self,
        param: &Param,
        seen: &mut FxHashMap<String, usize>,
        inputs: &mut Vec<ArgumentInput>,
    ) -> Result<PassedValue, Bail> {
        let name: Arc<str> = param.name.as_str().into();
        let choices = match &param.source {
            Source::Scalar(signed) => {
                inputs.push(ArgumentInput {
                    name,
                    sort: param.sort,
                    choices: Vec::new(),
                    stored: None,
                    signed: *signed,
                });
                return Ok(PassedValue::Input(inputs.len() - 1));
            }
            Source::Value(ty) => {
                let mut target = self.types.target(*ty)?;
                target.flexible = None;
                let mark = format!("(the value of {name})");
                return Ok(PassedValue::Object(self.object(&target, 1, &mark)?));
            }
            Source::Result(size) => {
                self.objects.push(ArgumentObject {
                    name: "the result".into(),
                    size: *size,
                    scalars: Vec::new(),
                });
                self.shapes.push(Shape::default());
                return Ok(PassedValue::Object(self.objects.len() - 1));
            }
            Source::Pointer(ty, true) => {
                let target = self.types.target(*ty)?;
                match target.class {
                    Class::Function => self.choices(&name, &[*ty], usize::MAX)?,
                    _ => self.own_object(&name, &target)?,
                }
            }
            Source::Pointer(ty, false) => {
                let key = self.types.target(*ty)?.key;
                let count = seen.entry(key).or_insert(0);
                *count += 1;
                let count = *count;
                self.choices(&name, &[*ty], count)?
            }
        };
        if choices.len() <= 1 {
            let what = "no object or function of its type is available";
            self.notes.push(format!("{name} is null: {what}"));
            return Ok(PassedValue::Null);
        }
        let sort = choice_sort(&choices);
        inputs.push(ArgumentInput {
            name,
            sort,
            choices,
            stored: None,
            signed: false,
        });
        Ok(PassedValue::Input(inputs.len() - 1))
    }

    /// A `restrict` parameter has an object that no other pointer points to.
    fn own_object(&mut self, name: &str, target: &Target) -> Result<Vec<Choice>, Bail> {
        let elements = self.elements(target)?;
        let mark = format!("(of {name} alone)");
        let object = self.object(target, elements, &mark)?;
        let place = |i: u64| Choice::Place {
            object,
            offset: i.saturating_mul(target.size),
            path: match elements {
                1 => String::new(),
                _ => format!("[{i}]"),
            },
        };
        let mut choices = vec![Choice::Null];
        choices.extend((0..elements).map(place));
        Ok(choices)
    }

    /// The choices of a pointer to one of these types. `count` objects of its own pool are used.
    fn choices(
        &mut self,
        name: &str,
        targets: &[Option<MdId>],
        count: usize,
    ) -> Result<Vec<Choice>, Bail> {
        let mut elements: Vec<Spot> = Vec::new();
        let mut inner: Vec<Spot> = Vec::new();
        let mut functions = Vec::new();
        for &ty in targets {
            let target = self.types.target(ty)?;
            if target.class == Class::Function {
                functions.extend(self.functions(&target));
                continue;
            }
            let own: &[usize] = match self.pool_of.get(&target.key) {
                Some(pool) => &self.pools[*pool].objects,
                None => &[],
            };
            for spot in self.spots.get(&target.key).into_iter().flatten() {
                match own.iter().position(|o| *o == spot.object) {
                    Some(at) if spot.element && at < count => elements.push(spot.clone()),
                    Some(_) if spot.element => {}
                    _ => inner.push(spot.clone()),
                }
            }
            if ty.is_none() {
                // `void *` points to anything.
                inner.extend(self.starts.iter().cloned());
            }
        }
        if elements.len() + inner.len() > MOST_PLACES {
            inner.clear();
            elements.truncate(MOST_PLACES);
            self.notes.push(format!(
                "{name} does not point inside objects of other types, which have too many places"
            ));
        }
        let mut choices = vec![Choice::Null];
        elements.append(&mut inner);
        for spot in elements {
            let place = Choice::Place {
                object: spot.object,
                offset: spot.offset,
                path: spot.path,
            };
            if !choices.contains(&place) {
                choices.push(place);
            }
        }
        choices.extend(functions);
        Ok(choices)
    }

    /// The functions that a pointer to a function type may point to.
    fn functions(&self, target: &Target) -> Vec<Choice> {
        let signature = target.ty.and_then(|ty| self.types.scalar_signature(ty));
        let fits = |c: &&Candidate| match &c.key {
            Some(key) => *key == target.key,
            None => signature.as_ref() == Some(&c.signature),
        };
        let choice = |c: &Candidate| Choice::Function {
            name: c.name.clone(),
            object: c.object,
        };
        self.candidates.iter().filter(fits).map(choice).collect()
    }

    /// The pointers inside all objects, and their booleans.
    fn contents(&mut self, inputs: &mut Vec<ArgumentInput>) -> Result<Vec<(usize, u64)>, Failed> {
        let mut bools = Vec::new();
        let mut slots = 0;
        for object in 0..self.objects.len() {
            let shape = std::mem::take(&mut self.shapes[object]);
            bools.extend(shape.bools.iter().map(|at| (object, *at)));
            slots += shape.slots.len();
            if slots > MOST_SLOTS || bools.len() > MOST_SLOTS {
                return Err(Failed::TooLarge);
            }
            for slot in shape.slots {
                let name = format!("{}{}", self.objects[object].name, spaced(&slot.path));
                let mut choices = self.choices(&name, &slot.targets, usize::MAX)?;
                if slot.maybe_data {
                    choices.push(Choice::Data);
                }
                if choices.len() == 1 {
                    self.nulls.push((object, slot.offset));
                    continue;
                }
                inputs.push(ArgumentInput {
                    name: name.into(),
                    sort: choice_sort(&choices),
                    choices,
                    stored: Some((object, slot.offset)),
                    signed: false,
                });
            }
        }
        Ok(bools)
    }
}

fn spaced(path: &str) -> String {
    match path {
        "" => String::new(),
        path => format!(" {path}"),
    }
}

/// The sort of a choice's number.
fn choice_sort(choices: &[Choice]) -> Sort {
    Sort::Int(if choices.len() <= 256 { 8 } else { 16 })
}
