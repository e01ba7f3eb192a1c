//! The Structs of a field as rows: dicts of columns.

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use super::typed::Typed;
use super::values::Values;
use crate::columns::Places;
use crate::columns::cells::Form;
use crate::print::{Scalar, Sink, each_entry, each_struct, walk_value};
use crate::schema::Schema;
use crate::stop::{Result, Stop};

/// A column from Python: its name, its cast or None, and the cast's form or None.
pub type Column<'py> =
    (Bound<'py, PyString>, Option<Bound<'py, PyAny>>, Option<Bound<'py, PyString>>);

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
    let Some(mut rows) = Rows::new(py, schema, columns, wire.len())? else { return Ok(None) };
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
    places: Places,
    /// A row without cells, to copy: a copy has the room and the keys in their order.
    empty: Bound<'py, PyDict>,
    /// Makes the values that have no form.
    values: Values<'static, 'py>,
    typed: Typed<'py>,
    done: Vec<Bound<'py, PyDict>>,
    interrupt: Option<PyErr>,
}

/// One column's cells.
struct Cells<'py> {
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
            (Some(_), Some(form)) => Form::named(form.to_str()?),
            _ => None,
        };
        Ok(Self { key, cast, form, seen: 0 })
    }
}

impl<'s, 'py> Rows<'s, 'py> {
    /// None if two columns have one name.
    fn new(
        py: Python<'py>,
        schema: &'s Schema,
        columns: Vec<Column<'py>>,
        wire_len: usize,
    ) -> PyResult<Option<Self>> {
        let columns = columns.into_iter().map(Cells::new).collect::<PyResult<Vec<_>>>()?;
        let names = columns.iter().map(|cells| Ok(cells.key.to_str()?.as_bytes().into()));
        let Some(places) = Places::new(names.collect::<PyResult<_>>()?) else { return Ok(None) };
        let empty = PyDict::new(py);
        for cells in &columns {
            empty.set_item(&cells.key, py.None())?;
        }
        let values = Values::new(py, &[], false, wire_len);
        let typed = Typed::new(py);
        let done = Vec::new();
        Ok(Some(Self { py, schema, columns, places, empty, values, typed, done, interrupt: None }))
    }

    fn row(&mut self, structure: &[u8]) -> Result<()> {
        let row = self.empty.copy().map_err(|_| Stop::Undecided)?;
        let mut index = 0;
        each_entry(structure, |key, value| {
            let place = self.places.find(index, key);
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
            && let Some(value) = self.typed.value(form, scalar)
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
