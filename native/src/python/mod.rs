//! The extension module: everything that touches Python.

mod arrow;
mod bytes;
mod calls;
mod checker;
mod codec;
mod collector;
mod columns;
mod dicts;
mod dump;
mod exact;
mod keys;
mod lengths;
mod lines;
mod merging;
mod options;
mod paths;
mod printing;
mod reading;
mod repeated;
mod room;
mod rows;
mod scanner;
mod typed;
mod values;

/// The fast core of Turnwire.
#[pyo3::pymodule]
mod turnwire_native {
    #[pymodule_export]
    use super::arrow::ArrowArray;
    #[pymodule_export]
    use super::checker::{LineChecker, count_lines};
    #[pymodule_export]
    use super::codec::Codec;
    #[pymodule_export]
    use super::columns::{ColumnBuilder, print_columns};
    #[pymodule_export]
    use super::lines::convert_lines;
    #[pymodule_export]
    use super::scanner::{Scanner, take_events, take_lines};
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python gives it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    /// Goes up with every change of what Python sees here.
    #[pymodule_export]
    const INTERFACE: u32 = 10;
}
