//! What scripts/interop.py asks of each language:
//!
//! ```text
//! interop check FOLDER   reads every golden vector and reports what became of it, one JSON line per input
//! interop change TYPE    varint-delimited messages from stdin, changed, to stdout
//! ```

mod change;
mod check;
#[allow(clippy::all)]
#[path = "gen/mod.rs"]
mod schema;
mod types;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["check", folder] => check::check(folder.as_ref()),
        ["change", type_name] => change::change(type_name),
        _ => Err(format!("expected check FOLDER or change TYPE, got {arguments:?}").into()),
    }
}
