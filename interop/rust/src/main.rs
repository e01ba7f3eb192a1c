//! Reads and writes messages for scripts/interop.py:
//!
//! ```text
//! interop check FOLDER   reads every test vector and reports the result, one JSON line per input
//! interop change TYPE    varint-delimited messages from stdin, changed, to stdout
//! ```

mod change;
mod check;
mod message_types;
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
