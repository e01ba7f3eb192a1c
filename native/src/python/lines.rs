//! Rewrites many lines of JSON in one call, and makes no message of them.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::codec::Codec;
use super::printing::check_utf8;
use super::room::unlocked;
use crate::bytes::growing::Growing;
use crate::framing::elements;
use crate::parse::{ParseOptions, Reader};
use crate::print::PrintOptions;
use crate::print::layout::Compact;
use crate::stop::{Result, Stop};

/// A line that only Python can decide: its start, its end, its number among all lines of the text
/// and among those with content, and where its output belongs in that of the other lines.
type Doubtful = (usize, usize, usize, usize, usize);

/// The text of each line's message and a line feed, the number of lines with content, and the lines
/// that are left out since only Python can decide about them.
#[pyfunction]
#[pyo3(signature = (codec, text, limit, /))]
pub fn convert_lines<'py>(
    codec: &Bound<'py, Codec>,
    text: &[u8],
    limit: usize,
) -> (Bound<'py, PyBytes>, usize, Vec<Doubtful>) {
    let (py, codec) = (codec.py(), codec.get());
    let mut output = Growing::default();
    let (count, doubtful) =
        unlocked(py, text.len(), || codec.convert_each_line(text, limit, &mut output));
    (PyBytes::new(py, output.written()), count, doubtful)
}

impl Codec {
    fn convert_each_line(
        &self,
        text: &[u8],
        limit: usize,
        output: &mut Growing,
    ) -> (usize, Vec<Doubtful>) {
        let (mut lines, mut with_content) = (0, 0);
        let mut doubtful = Vec::new();
        let mut reader = Reader::default();
        elements::each_line(text, |start, end| {
            if start < end {
                let converted = match text.get(start..end) {
                    Some(line) if line.len() <= limit => {
                        reader.read(&self.schema, line, ParseOptions::default(), |wire| {
                            self.print_line(wire, output)
                        })
                    }
                    _ => Err(Stop::Undecided),
                };
                if converted.is_err() {
                    doubtful.push((start, end, lines, with_content, output.written().len()));
                }
                with_content += 1;
            }
            lines += 1;
        });
        (with_content, doubtful)
    }

    /// Writes the compact text of a wire format and a line feed.
    fn print_line(&self, wire: &[u8], output: &mut Growing) -> Result<()> {
        let options = PrintOptions { leave_out_defaults: true, ..PrintOptions::default() };
        let mut room = 2 * wire.len() + 512;
        loop {
            let printed = output.write(room, |out| {
                let start = out.len();
                self.walk_text(wire, Compact, options, out)?;
                // The lines before are checked already.
                check_utf8(&out.written()[start..])?;
                out.byte(b'\n')
            });
            if printed != Err(Stop::Full) {
                return printed;
            }
            room *= 2;
        }
    }
}
