//! `attest model`: what attest makes of a program.

use crate::args::ModelArgs;
use crate::exit::{Failure, Status};
use crate::{load, output};
use attest_model::{Graph, show};

/// Shows the model of a program.
pub fn model(args: &ModelArgs) -> Result<Status, Failure> {
    let program = load::load(&args.program.source()?)?;
    let graph = Graph::of(&program, args.blocks.into());
    output::print(if args.dot {
        show::dot(&program, &graph)
    } else {
        show::text(&program, &graph)
    });
    Ok(Status::Fine)
}
