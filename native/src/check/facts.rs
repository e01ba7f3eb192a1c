//! The facts of many lines in which no rule of one line is violated.

use std::collections::{HashMap, HashSet};

pub use super::walk::Step;
use super::walk::{Event, Tool};
use crate::stop::{Result, Stop};

/// The length of the lines that have facts together. If Python finds that something in them may
/// violate a rule, it reads all of them.
const MAX_LEN: usize = 1 << 15;

/// The byte between ids that follow each other.
const BETWEEN_IDS: u8 = 0xff;

/// The place of a line with content in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The start and the end of its content.
    pub start: usize,
    pub end: usize,
    /// Its number among all lines, and among those with content.
    pub line: usize,
    pub number: usize,
}

/// The facts of the lines of one session, as far as they matter to other lines.
#[derive(Debug, Default)]
pub struct Facts {
    pub first: Line,
    pub last: Line,
    /// The name of the session, which comes before everything else; empty where nothing says it.
    pub session: Box<[u8]>,
    /// The number of tool calls.
    pub calls: usize,
    pub called: HashSet<Box<[u8]>>,
    /// The ids of responses whose call did not come before them.
    pub answered: HashSet<Box<[u8]>>,
    pub tools: Vec<(Box<[u8]>, OpenCalls)>,
    places: HashMap<Box<[u8]>, usize>,
    /// The place of the last tool: the next event is often about the same one.
    last_tool: usize,
    pub parents: Vec<Parent>,
    pub outputs: Vec<Output>,
    /// The turn that is open at the start, and the one that is open at the end.
    pub first_turn: Turn,
    pub last_turn: Option<Turn>,
    /// Whether a turn between them has a result without a query.
    pub is_violated: bool,
    has_events: bool,
}

/// The change of the number of open calls of a tool: from `n` to `max(n + change, floor)`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct OpenCalls {
    pub change: i64,
    pub floor: i64,
    /// The number of open calls that responses without an id need at the start.
    pub needed: i64,
}

/// A tool call with a parent.
#[derive(Debug)]
pub struct Parent {
    pub id: Box<[u8]>,
    pub parent: Box<[u8]>,
    pub line: Line,
    pub path: Vec<Step>,
}

/// Outputs of one turn, one after the other.
#[derive(Debug, PartialEq, Eq)]
pub struct Output {
    pub turn: i64,
    pub text_len: u64,
    pub is_last: bool,
}

/// The queries and results of one turn of an answer.
#[derive(Debug, Default)]
pub struct Turn {
    pub queries: HashSet<Box<[u8]>>,
    results: HashSet<Box<[u8]>>,
    /// Whether a source of results has no name, so that any result may be its own.
    pub is_nameless: bool,
}

impl Turn {
    /// The results that no query of the turn has the name of.
    pub fn unmatched(&self) -> impl Iterator<Item = &[u8]> {
        self.results.iter().filter(|name| !self.queries.contains(*name)).map(|name| &**name)
    }
}

impl Facts {
    pub fn is_empty(&self) -> bool {
        !self.has_events
    }

    /// Whether a line belongs to these facts: not if another session begins with it, nor if they
    /// are about many lines.
    ///
    /// Undecided if another session begins within the line.
    pub fn takes(&self, line: Line, events: &[Event<'_>]) -> Result<bool> {
        let mut session = &*self.session;
        let mut has_events = self.has_events;
        let mut takes = !has_events || line.end - self.first.start <= MAX_LEN;
        for (place, event) in events.iter().enumerate() {
            if let Event::Session(name) = event
                && !name.is_empty()
                && session != *name
            {
                if place > 0 {
                    return Err(Stop::Undecided);
                }
                takes &= !has_events;
                session = name;
            }
            has_events = true;
        }
        Ok(takes)
    }

    /// Adds the events of a line that belongs to these facts.
    pub fn add(&mut self, line: Line, events: Vec<Event<'_>>) {
        if !self.has_events {
            self.first = line;
        }
        self.last = line;
        for event in events {
            self.add_event(line, event);
            self.has_events = true;
        }
    }

    fn add_event(&mut self, line: Line, event: Event<'_>) {
        match event {
            Event::Session(name) => {
                if !self.has_events {
                    self.session = name.into();
                }
            }
            Event::Call { tool, parent, path } => {
                self.calls += 1;
                let open = self.open_calls(tool);
                open.change += 1;
                open.floor += 1;
                if !parent.is_empty() {
                    let (id, parent) = (tool.id.into(), parent.into());
                    self.parents.push(Parent { id, parent, line, path });
                }
                if !tool.id.is_empty() {
                    self.called.insert(tool.id.into());
                }
            }
            Event::Response(tool) => {
                let open = self.open_calls(tool);
                if tool.id.is_empty() && open.floor == 0 {
                    open.needed = open.needed.max(1 - open.change);
                }
                open.change -= 1;
                open.floor = (open.floor - 1).max(0);
                if !tool.id.is_empty() && !self.called.contains(tool.id) {
                    self.answered.insert(tool.id.into());
                }
            }
            Event::Output { turn, text_len, is_last } => match self.outputs.last_mut() {
                Some(last) if last.turn == turn && !last.is_last => {
                    last.text_len += text_len;
                    last.is_last = is_last;
                }
                _ => self.outputs.push(Output { turn, text_len, is_last }),
            },
            Event::Question => {
                if let Some(turn) = self.last_turn.replace(Turn::default()) {
                    self.is_violated |= !turn.is_nameless && turn.unmatched().next().is_some();
                }
            }
            Event::Query(name) => _ = self.turn().queries.insert(name.into()),
            Event::Result(name) => _ = self.turn().results.insert(name.into()),
            Event::Nameless => self.turn().is_nameless = true,
        }
    }

    fn turn(&mut self) -> &mut Turn {
        self.last_turn.as_mut().unwrap_or(&mut self.first_turn)
    }

    fn open_calls(&mut self, tool: Tool<'_>) -> &mut OpenCalls {
        let is_last = self.tools.get(self.last_tool).is_some_and(|(name, _)| **name == *tool.name);
        if !is_last {
            self.last_tool = self.places.get(tool.name).copied().unwrap_or_else(|| {
                self.tools.push((tool.name.into(), OpenCalls::default()));
                self.places.insert(tool.name.into(), self.tools.len() - 1);
                self.tools.len() - 1
            });
        }
        &mut self.tools[self.last_tool].1
    }

    /// The ids of the calls, each once, with a byte between them that no UTF-8 has.
    pub fn called_ids(&self) -> Vec<u8> {
        let mut ids = Vec::with_capacity(self.called.iter().map(|id| id.len() + 1).sum());
        for id in &self.called {
            ids.extend_from_slice(id);
            ids.push(BETWEEN_IDS);
        }
        ids.pop();
        ids
    }

    /// The ids of responses that have no call in these lines.
    pub fn unmatched(&self) -> impl Iterator<Item = &[u8]> {
        self.answered.iter().filter(|id| !self.called.contains(*id)).map(|id| &**id)
    }
}
