//! The extension module: everything that touches Python.

mod bytes;
mod codec;
mod dump;
mod merging;
mod rows;
mod scanner;
mod values;
