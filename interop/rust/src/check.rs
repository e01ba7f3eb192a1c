use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};

use crate::message_types;
use crate::types::{self, Input, Report};

/// A file of vectors; tests/vectors/README.md describes it.
#[derive(Deserialize)]
struct VectorFile {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    r#type: String,
    json: Option<String>,
    binary: Option<String>,
    #[serde(default)]
    accepted: Vec<Text>,
    #[serde(default)]
    refused: Vec<Text>,
}

/// A JSON text, in base64 if it is not UTF-8.
#[derive(Deserialize)]
struct Text {
    name: String,
    json: Option<String>,
    base64: Option<String>,
}

#[derive(Serialize)]
struct Line<'a> {
    vector: &'a str,
    input: &'a str,
    #[serde(flatten)]
    report: Report,
}

impl Text {
    fn data(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        match (&self.json, &self.base64) {
            (Some(text), _) => Ok(text.clone().into_bytes()),
            (None, Some(text)) => Ok(BASE64_STANDARD.decode(text)?),
            (None, None) => Err(format!("{}: no data", self.name).into()),
        }
    }
}

/// Reads every test vector and reports the result of each input.
pub fn check(folder: &Path) -> Result<(), Box<dyn Error>> {
    types::register();
    let types = message_types::all();
    let mut out = io::stdout().lock();
    for vector in read_vectors(folder)? {
        let try_input = types
            .get(vector.r#type.as_str())
            .ok_or_else(|| format!("{}: no message type {}", vector.name, vector.r#type))?;
        let expected = match &vector.binary {
            Some(binary) => Some(BASE64_STANDARD.decode(binary)?),
            None => None,
        };
        let mut report = |input: &str, report: Report| -> Result<(), Box<dyn Error>> {
            let vector = vector.name.as_str();
            serde_json::to_writer(&mut out, &Line { vector, input, report })?;
            Ok(writeln!(out)?)
        };
        if let (Some(text), Some(binary)) = (&vector.json, &expected) {
            let tried = try_input(Input::Json(text.as_bytes()), Some(binary));
            report(&format!("{}.json", vector.name), tried)?;
            let tried = try_input(Input::Binary(binary), Some(binary));
            report(&format!("{}.binary", vector.name), tried)?;
        }
        for text in vector.accepted.iter().chain(&vector.refused) {
            let tried = try_input(Input::Json(&text.data()?), expected.as_deref());
            report(&text.name, tried)?;
        }
    }
    Ok(())
}

fn read_vectors(folder: &Path) -> Result<Vec<Vector>, Box<dyn Error>> {
    let mut vectors = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let file: VectorFile = serde_json::from_slice(&fs::read(path)?)?;
            vectors.extend(file.vectors);
        }
    }
    Ok(vectors)
}
