use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use buffa::type_registry::{TypeRegistry, set_type_registry};
use serde::{Deserialize, Serialize};

use crate::schema::turnwire_schema;
use crate::types::{self, Input, Report};

#[derive(Deserialize)]
struct Index {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    r#type: String,
    json: Option<String>,
    binary: Option<String>,
    variants: Vec<String>,
    invalid: Vec<String>,
}

#[derive(Serialize)]
struct Line<'a> {
    vector: &'a str,
    input: &'a str,
    #[serde(flatten)]
    report: Report,
}

/// Reads every golden vector and reports what became of it.
pub fn check(folder: &Path) -> Result<(), Box<dyn Error>> {
    register_any_types();
    let types = types::all();
    let index: Index = serde_json::from_slice(&fs::read(folder.join("index.json"))?)?;
    let mut out = io::stdout().lock();
    for vector in &index.vectors {
        let try_input = types
            .get(vector.r#type.as_str())
            .ok_or_else(|| format!("{}: no message type {}", vector.name, vector.r#type))?;
        let expected = match &vector.binary {
            Some(path) => Some(fs::read(folder.join(path))?),
            None => None,
        };
        let written = vector.json.iter().chain(&vector.binary);
        for input in written.chain(&vector.variants).chain(&vector.invalid) {
            let data = fs::read(folder.join(input))?;
            let report = if input.ends_with(".binpb") {
                try_input(Input::Binary(&data), expected.as_deref())
            } else {
                try_input(Input::Json(&data), expected.as_deref())
            };
            serde_json::to_writer(
                &mut out,
                &Line {
                    vector: &vector.name,
                    input,
                    report,
                },
            )?;
            writeln!(out)?;
        }
    }
    Ok(())
}

/// An `Any` is read and written as JSON only if its type is registered.
fn register_any_types() {
    let mut registry = TypeRegistry::new();
    turnwire_schema::ces::v1::register_types(&mut registry);
    turnwire_schema::geminidataanalytics::v1::register_types(&mut registry);
    buffa_types::register_wkt_types(&mut registry);
    set_type_registry(registry);
}
