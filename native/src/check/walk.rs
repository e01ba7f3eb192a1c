//! A walk of one message by its plan, which returns the events of the message.

use super::plan::{EventKind, FieldRules, Inside, MAX_SLOTS, Plan, Sign};
use crate::bytes::wire::{Payload, Wire};
use crate::schema::DELIMITED;
use crate::stop::{Result, Stop};

/// Something in a message that the rules about references look at.
#[derive(Debug, PartialEq)]
pub enum Event<'w> {
    /// The name of a session.
    Session(&'w [u8]),
    Call {
        tool: Tool<'w>,
        parent: &'w [u8],
        /// The place of the call, if it has a parent.
        path: Vec<Step>,
    },
    Response(Tool<'w>),
    Output {
        turn: i64,
        text_len: u64,
        is_last: bool,
    },
    Question,
    Query(&'w [u8]),
    Result(&'w [u8]),
    /// A source of results that has no name.
    Nameless,
}

/// The id of a tool call, and the name of the tool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tool<'w> {
    pub id: &'w [u8],
    pub name: &'w [u8],
}

/// A step from a message to one inside of it: the places of the message type and of the field,
/// and the index in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub message: u32,
    pub field: u32,
    pub index: Option<usize>,
}

/// The events of a message in wire format, in the order that protobuf gives its fields.
///
/// Undecided where something may violate a rule.
pub fn events_of<'w>(plan: &Plan, wire: &'w [u8]) -> Result<Vec<Event<'w>>> {
    let mut walk = Walk {
        plan,
        waiting: Vec::new(),
        path: Vec::new(),
        fitting: vec![b"".as_slice(); plan.named],
        events: Vec::new(),
    };
    walk.message(0, wire)?;
    Ok(walk.events)
}

struct Walk<'p, 'w> {
    plan: &'p Plan,
    /// The messages in the open ones that are still to be walked.
    waiting: Vec<Waiting<'w>>,
    path: Vec<Step>,
    /// The last name in each field with patterns: many are the same.
    fitting: Vec<&'w [u8]>,
    events: Vec<Event<'w>>,
}

/// The values of the fields that belong to an event; None before the first one.
type Slots<'w> = Option<[Slot<'w>; MAX_SLOTS]>;

#[derive(Clone, Copy)]
struct Waiting<'w> {
    step: Step,
    /// The place of its type in the schema.
    into: u32,
    wire: &'w [u8],
}

/// The value of a field that belongs to an event.
#[derive(Clone, Copy, Default)]
struct Slot<'w> {
    is_set: bool,
    /// Whether the field has the field in it that is meant.
    has_inner: bool,
    number: u64,
    bytes: &'w [u8],
}

impl<'w> Walk<'_, 'w> {
    fn message(&mut self, index: u32, wire: &'w [u8]) -> Result<()> {
        let plan = self.plan.messages.get(index as usize).ok_or(Stop::Undecided)?;
        let mut slots = Slots::default();
        let mut missing = plan.required;
        let first = self.waiting.len();
        let mut wire = Wire::new(wire);
        while !wire.is_empty() {
            let (number, payload) = next(&mut wire)?;
            let Some(rules) = plan.rules_of(number) else { continue };
            if let Some((bit, sign)) = rules.required
                && is_set(sign, payload)?
            {
                missing &= !bit;
            }
            if rules.is_checked {
                self.check(rules, payload)?;
            }
            if let Some((place, inside)) = rules.slot {
                slots.get_or_insert_default()[place % MAX_SLOTS] = slot(inside, payload)?;
            }
            if let Some(into) = rules.into {
                let Payload::Delimited(wire) = payload else { return Err(Stop::Undecided) };
                let list = rules.is_repeated.then_some(0);
                let step = Step { message: index, field: rules.field as u32, index: list };
                self.waiting.push(Waiting { step, into, wire });
            }
        }
        if missing != 0 {
            return Err(Stop::Undecided);
        }
        if let Some(kind) = plan.event {
            self.event(kind, &slots.unwrap_or_default());
        }
        self.walk_waiting(first)
    }

    /// Walks the messages that wait since the place `first`, in the order of their fields.
    fn walk_waiting(&mut self, first: usize) -> Result<()> {
        let waiting = &mut self.waiting[first..];
        // The fields of a message are in the order of their numbers.
        if !waiting.is_sorted_by_key(|waiting| waiting.step.field) {
            waiting.sort_by_key(|waiting| waiting.step.field);
        }
        let mut last: Option<Step> = None;
        for place in first..self.waiting.len() {
            let Waiting { mut step, into, wire } = self.waiting[place];
            if let Some(last) = last
                && last.field == step.field
            {
                step.index = last.index.map(|index| index + 1);
            }
            last = Some(step);
            self.path.push(step);
            self.message(into, wire)?;
            self.path.pop();
        }
        self.waiting.truncate(first);
        Ok(())
    }

    /// Checks a value by the rules about its field alone.
    fn check(&mut self, rules: &FieldRules, payload: Payload<'w>) -> Result<()> {
        let Payload::Delimited(bytes) = payload else { return Err(Stop::Undecided) };
        if !rules.patterns.is_empty() && !bytes.is_empty() {
            let last = self.fitting.get_mut(rules.names).ok_or(Stop::Undecided)?;
            if *last != bytes {
                if !rules.patterns.iter().any(|pattern| pattern.fits(bytes)) {
                    return Err(Stop::Undecided);
                }
                *last = bytes;
            }
        }
        let is_doubtful = match rules.doubtful {
            Some(Inside::Itself) => !bytes.is_empty(),
            Some(inside @ Inside::Field(_)) => slot(inside, payload)?.has_inner,
            None => false,
        };
        if is_doubtful { Err(Stop::Undecided) } else { Ok(()) }
    }

    fn event(&mut self, kind: EventKind, slots: &[Slot<'w>; MAX_SLOTS]) {
        let event = match kind {
            EventKind::Session => Event::Session(slots[0].bytes),
            EventKind::Call => {
                let parent = slots[1].bytes;
                let path = if parent.is_empty() { Vec::new() } else { self.path.clone() };
                Event::Call { tool: tool(slots[0], &slots[2..5]), parent, path }
            }
            EventKind::Response => Event::Response(tool(slots[0], &slots[1..4])),
            EventKind::Output => Event::Output {
                turn: slots[0].number as i64,
                text_len: slots[1].bytes.len() as u64,
                is_last: slots[2].number != 0,
            },
            EventKind::Question => Event::Question,
            EventKind::Data => {
                let [query, result, nameless @ ..] = slots;
                if query.is_set && !query.bytes.is_empty() {
                    Event::Query(query.bytes)
                } else if result.is_set {
                    Event::Result(result.bytes)
                } else if query.is_set || nameless.iter().any(|slot| slot.is_set) {
                    Event::Nameless
                } else {
                    return;
                }
            }
        };
        self.events.push(event);
    }
}

/// The number and the value of the next field.
#[inline(always)]
fn next<'w>(wire: &mut Wire<'w>) -> Result<(u32, Payload<'w>)> {
    let (number, wire_type) = wire.tag().ok_or(Stop::Undecided)?;
    let payload = match wire_type {
        // Almost all values; the other ones need a call.
        DELIMITED => wire.delimited().map(Payload::Delimited),
        _ => wire.payload(number, wire_type),
    };
    payload.map(|payload| (number, payload)).ok_or(Stop::Undecided)
}

/// Whether a value surely sets a required field.
fn is_set(sign: Sign, payload: Payload<'_>) -> Result<bool> {
    Ok(match (sign, payload) {
        (Sign::Presence, _) => true,
        (Sign::Value, Payload::Varint(number)) => number != 0,
        (Sign::Value, Payload::Delimited(bytes)) => !bytes.is_empty(),
        (Sign::Message, Payload::Delimited(bytes)) => {
            let mut wire = Wire::new(bytes);
            while !wire.is_empty() {
                if is_set(Sign::Value, next(&mut wire)?.1)? {
                    return Ok(true);
                }
            }
            false
        }
        _ => false,
    })
}

fn slot<'w>(inside: Inside, payload: Payload<'w>) -> Result<Slot<'w>> {
    let mut slot = Slot { is_set: true, ..Slot::default() };
    match (inside, payload) {
        (Inside::Itself, Payload::Varint(number)) => slot.number = number,
        (Inside::Itself, Payload::Delimited(bytes)) => slot.bytes = bytes,
        (Inside::Field(wanted), Payload::Delimited(bytes)) => {
            let mut wire = Wire::new(bytes);
            while !wire.is_empty() {
                let (number, payload) = next(&mut wire)?;
                if number == wanted {
                    slot.has_inner = true;
                    let Payload::Delimited(bytes) = payload else { return Err(Stop::Undecided) };
                    slot.bytes = bytes;
                }
            }
        }
        _ => return Err(Stop::Undecided),
    }
    Ok(slot)
}

/// The tool of a call or a response; the first part of its name that is not empty is the name.
fn tool<'w>(id: Slot<'w>, parts: &[Slot<'w>]) -> Tool<'w> {
    let [in_toolset, resource, display] = parts else { return Tool { id: id.bytes, name: b"" } };
    let start = memchr::memrchr(b'/', resource.bytes).map_or(0, |slash| slash + 1);
    let names = [in_toolset.bytes, &resource.bytes[start..], display.bytes];
    let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
    Tool { id: id.bytes, name }
}
