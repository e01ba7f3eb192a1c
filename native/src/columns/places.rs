//! The columns of a row's cells by their names.

use std::collections::HashMap;

/// Finds the column of each cell.
pub struct Places {
    names: Box<[Box<[u8]>]>,
    by_name: HashMap<Box<[u8]>, usize>,
    /// The column of each cell of the last row: protobuf's maps have mostly the same order.
    last: Vec<Option<usize>>,
}

impl Places {
    /// None if two columns have one name.
    pub fn new(names: Vec<Box<[u8]>>) -> Option<Self> {
        let by_name: HashMap<_, _> =
            names.iter().enumerate().map(|(place, name)| (name.clone(), place)).collect();
        let is_unique = by_name.len() == names.len();
        is_unique.then(|| Self { names: names.into(), by_name, last: Vec::new() })
    }

    /// The column of a row's cell, by the cell's number in the row; None if it has none.
    #[inline(always)]
    pub fn find(&mut self, index: usize, name: &[u8]) -> Option<usize> {
        if let Some(Some(place)) = self.last.get(index)
            && *self.names[*place] == *name
        {
            return Some(*place);
        }
        let place = self.by_name.get(name).copied();
        if index >= self.last.len() {
            self.last.resize(index + 1, None);
        }
        self.last[index] = place;
        place
    }
}
