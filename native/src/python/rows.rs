//! The Structs of a field as rows: dicts of columns.

use std::collections::HashMap;

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use super::values::Values;
use crate::print::{Scalar, Sink, each_entry, each_struct, walk_value};
use crate::scalars::number::read_number;
use crate::schema::Schema;
use crate::stop::{Result, Stop};

/// A column from Python: its name, its cast or None, and the cast's form or None.
pub type Column<'py> =
    (Bound<'py, PyString>, Option<Bound<'py, PyAny>>, Option<Bound<'py, PyString>>);

/// The result of a cast for ordinary values; for any other value the cast itself is called.
#[derive(Clone, Copy)]
enum Form {
    /// A whole number, or its plain digits, becomes an integer of 64 bits.
    Integer,
    /// A number, or its JSON text, becomes the nearest double, if that is finite.
    Double,
    /// A boolean, or its name in any case, becomes that boolean.
    Boolean,
}

/// The Structs of the field `name` as a list of dicts; None where only Python can decide.
///
/// # Errors
///
/// An interrupt: anything that a cast raised other than an `Exception`, which it will raise again.
pub fn print_rows<'py>(
    py: Python<'py>,
    schema: &Schema,
    wire: &[u8],
    name: &str,
    columns: Vec<Column<'py>>,
) -> PyResult<Option<Bound<'py, PyList>>> {
    let Some(mut rows) = Rows::new(py, schema, columns)? else { return Ok(None) };
    let walked = each_struct(schema, wire, name.as_bytes(), |structure| rows.row(structure));
    match (walked, rows.interrupt) {
        (_, Some(interrupt)) => Err(interrupt),
        (Ok(()), None) => PyList::new(py, rows.done).map(Some),
        (Err(_), None) => Ok(None),
    }
}

struct Rows<'s, 'py> {
    py: Python<'py>,
    schema: &'s Schema,
    columns: Vec<Cells<'py>>,
    /// The columns by their names.
    places: HashMap<Box<[u8]>, usize>,
    /// A row without cells, to copy: a copy has the room and the keys in their order.
    empty: Bound<'py, PyDict>,
    /// The column of each entry of the last row: protobuf's maps have mostly the same order.
    last: Vec<Option<usize>>,
    /// Makes the values that have no form.
    values: Values<'static, 'py>,
    done: Vec<Bound<'py, PyDict>>,
    interrupt: Option<PyErr>,
}

/// One column's cells.
struct Cells<'py> {
    name: Box<[u8]>,
    key: Bound<'py, PyString>,
    cast: Option<Bound<'py, PyAny>>,
    /// None without a cast.
    form: Option<Form>,
    /// The number of rows when the last cell came, to find two cells in one row.
    seen: usize,
}

impl<'py> Cells<'py> {
    fn new((key, cast, form): Column<'py>) -> PyResult<Self> {
        let form = match (&cast, form) {
            (Some(_), Some(form)) => match form.to_str()? {
                "integer" => Some(Form::Integer),
                "double" => Some(Form::Double),
                "boolean" => Some(Form::Boolean),
                _ => None,
            },
            _ => None,
        };
        Ok(Self { name: key.to_str()?.as_bytes().into(), key, cast, form, seen: 0 })
    }
}

impl<'s, 'py> Rows<'s, 'py> {
    /// None if two columns have one name.
    fn new(
        py: Python<'py>,
        schema: &'s Schema,
        columns: Vec<Column<'py>>,
    ) -> PyResult<Option<Self>> {
        let columns = columns.into_iter().map(Cells::new).collect::<PyResult<Vec<_>>>()?;
        let places: HashMap<_, _> =
            columns.iter().enumerate().map(|(place, cells)| (cells.name.clone(), place)).collect();
        if places.len() < columns.len() {
            return Ok(None);
        }
        let empty = PyDict::new(py);
        for cells in &columns {
            empty.set_item(&cells.key, py.None())?;
        }
        let values = Values::new(py, &[], false);
        let (last, done) = (Vec::new(), Vec::new());
        Ok(Some(Self { py, schema, columns, places, empty, last, values, done, interrupt: None }))
    }

    fn row(&mut self, structure: &[u8]) -> Result<()> {
        let row = self.empty.copy().map_err(|_| Stop::Undecided)?;
        let mut index = 0;
        each_entry(structure, |key, value| {
            let place = self.place(index, key);
            index += 1;
            let Some(place) = place else {
                // A value that is left out must be valid too.
                self.plain(Scalar::read(value)?, value)?;
                return std::str::from_utf8(key).map(drop).map_err(|_| Stop::Undecided);
            };
            let seen = std::mem::replace(&mut self.columns[place].seen, self.done.len() + 1);
            if seen > self.done.len() {
                return Err(Stop::Undecided);
            }
            match self.cell(place, value)? {
                Some(cell) => {
                    row.set_item(&self.columns[place].key, cell).map_err(|_| Stop::Undecided)
                }
                None => Ok(()),
            }
        })?;
        self.done.push(row);
        Ok(())
    }

    /// The column of a row's entry, if there is one.
    #[inline(always)]
    fn place(&mut self, index: usize, key: &[u8]) -> Option<usize> {
        if let Some(Some(place)) = self.last.get(index)
            && *self.columns[*place].name == *key
        {
            return Some(*place);
        }
        let place = self.places.get(key).copied();
        if index >= self.last.len() {
            self.last.resize(index + 1, None);
        }
        self.last[index] = place;
        place
    }

    /// The typed value of a cell; None if it is null.
    #[inline(always)]
    fn cell(&mut self, place: usize, wire: &[u8]) -> Result<Option<Bound<'py, PyAny>>> {
        let cells = &self.columns[place];
        let scalar = Scalar::read(wire)?;
        if scalar == Some(Scalar::Null) {
            return Ok(None);
        }
        if let Some(scalar) = scalar
            && let Some(form) = cells.form
            && let Some(value) = form.value(self.py, scalar)
        {
            return Ok(Some(value));
        }
        let plain = self.plain(scalar, wire)?;
        let Some(cast) = &self.columns[place].cast else { return Ok(Some(plain)) };
        cast.call1((plain,)).map(Some).map_err(|error| {
            if !error.is_instance_of::<PyException>(self.py) {
                self.interrupt = Some(error);
            }
            Stop::Undecided
        })
    }

    /// The plain JSON value of a Value, which was read if it is a scalar.
    #[inline(always)]
    fn plain(&mut self, scalar: Option<Scalar<'_>>, wire: &[u8]) -> Result<Bound<'py, PyAny>> {
        match scalar {
            Some(scalar) => scalar.tell(&mut self.values)?,
            None => self.values = walk_value(self.schema, wire, self.values.take())?,
        }
        self.values.next()
    }
}

impl Form {
    /// The result of the cast for a value, or None if the cast must be called.
    #[inline(always)]
    fn value<'py>(self, py: Python<'py>, scalar: Scalar<'_>) -> Option<Bound<'py, PyAny>> {
        match self {
            Self::Integer => {
                let value = match scalar {
                    Scalar::Text(text) => plain_integer(text)?,
                    Scalar::Number(value) => whole(value)?,
                    _ => return None,
                };
                Some(value.into_pyobject(py).ok()?.into_any())
            }
            Self::Double => {
                let value = match scalar {
                    Scalar::Text(text) => finite(text)?,
                    Scalar::Number(value) => value,
                    _ => return None,
                };
                Some(value.into_pyobject(py).ok()?.into_any())
            }
            Self::Boolean => {
                let value = match scalar {
                    Scalar::Boolean(value) => value,
                    Scalar::Text(text) if text.eq_ignore_ascii_case(b"true") => true,
                    Scalar::Text(text) if text.eq_ignore_ascii_case(b"false") => false,
                    _ => return None,
                };
                Some(value.into_pyobject(py).ok()?.to_owned().into_any())
            }
        }
    }
}

/// The integer of 64 bits whose digits these are: no `+3`, no `0042`, nothing but digits.
#[inline(always)]
fn plain_integer(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if !matches!(digits, [b'0'] | [b'1'..=b'9', ..]) {
        return None;
    }
    let mut value = 0i64;
    for digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(digit.into())?;
    }
    Some(if digits.len() < text.len() { -value } else { value })
}

/// A double that is an integer, where that and its negative have 64 bits.
#[inline(always)]
fn whole(value: f64) -> Option<i64> {
    (value.abs() < -(i64::MIN as f64) && value.trunc() == value).then_some(value as i64)
}

/// The double that a JSON number stands for.
#[inline(always)]
fn finite(text: &[u8]) -> Option<f64> {
    let (number, len) = read_number(text).ok()?;
    if len < text.len() { None } else { number.double().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_plain_digits_of_64_bits() {
        for value in [0, 7, -7, 9_007_199_254_740_993, i64::MAX, -i64::MAX] {
            assert_eq!(plain_integer(value.to_string().as_bytes()), Some(value));
        }
        assert_eq!(plain_integer(b"-0"), Some(0));
        for text in [
            "",
            "-",
            "+3",
            "--3",
            "0042",
            "-01",
            " 3",
            "3 ",
            "1_0",
            "1e2",
            "5.0",
            "٣",
            "３",
            "9223372036854775808",
            "-9223372036854775808",
            "10000000000000000000000",
        ] {
            assert_eq!(plain_integer(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn whole_doubles_are_integers() {
        for (value, expected) in [
            (5.0, Some(5)),
            (-0.0, Some(0)),
            (5.5, None),
            (-0.5, None),
            (1e16, Some(10_000_000_000_000_000)),
            (9_223_372_036_854_774_784.0, Some(9_223_372_036_854_774_784)),
            (9_223_372_036_854_775_808.0, None),
            (-9_223_372_036_854_775_808.0, None),
            (1e300, None),
        ] {
            assert_eq!(whole(value), expected, "{value}");
        }
    }

    #[test]
    fn doubles_are_whole_json_numbers() {
        for (text, expected) in [
            ("1e2", Some(100.0)),
            ("-1.5", Some(-1.5)),
            ("1e-400", Some(0.0)),
            ("1e400", None),
            ("NaN", None),
            ("inf", None),
            ("1.", None),
            ("01", None),
            ("1_0", None),
            ("1 ", None),
            (" 1", None),
            ("", None),
        ] {
            assert_eq!(finite(text.as_bytes()), expected, "{text}");
        }
        assert!(finite(b"-0").is_some_and(|zero| zero.is_sign_negative()));
    }
}
