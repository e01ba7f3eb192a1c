//! Arrow arrays and types across Python, through the capsules of Arrow's C interface.

use std::ffi::CStr;

use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::DataType;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

/// An array, for libraries that take Arrow's PyCapsule interface.
#[pyclass(frozen, module = "turnwire_native")]
pub struct ArrowArray {
    data: ArrayData,
}

impl ArrowArray {
    pub fn new(data: ArrayData) -> Self {
        Self { data }
    }
}

#[pymethods]
impl ArrowArray {
    fn __len__(&self) -> usize {
        self.data.len()
    }

    /// The capsules of the type and of the array. A request for another type is not followed.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        let schema = FFI_ArrowSchema::try_from(self.data.data_type()).map_err(refused)?;
        let array = FFI_ArrowArray::new(&self.data);
        let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
        let array = PyCapsule::new_with_value(py, array, ARRAY)?;
        PyTuple::new(py, [schema, array])
    }
}

/// The type, or the struct of a schema's columns, that `__arrow_c_schema__` of an object gives.
pub fn data_type_of(object: &Bound<'_, PyAny>) -> PyResult<DataType> {
    let capsule = object.call_method0("__arrow_c_schema__")?;
    let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(SCHEMA))?;
    // SAFETY: A capsule of this name holds such a schema, and it lives until the end of this
    // function. The schema is only looked at.
    let schema = unsafe { pointer.cast::<FFI_ArrowSchema>().as_ref() };
    DataType::try_from(schema).map_err(refused)
}

fn refused(error: arrow_schema::ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
