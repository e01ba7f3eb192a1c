//! The rules of each message type, by the numbers of its fields.

use std::collections::HashMap;

use crate::schema::{Cardinality, Field, Kind, Message, Schema, Shape};

/// The number of bits for the required fields of one message.
const MAX_REQUIRED: usize = 32;
/// The largest number of fields from which an event is made.
pub const MAX_SLOTS: usize = 8;
/// Fields with numbers below this are found without a search.
const LOW: usize = 32;

/// The rules of one message type, as Python describes them. Fields have the names of the schema.
pub struct Described {
    /// The fields that must be set.
    pub required: Vec<String>,
    /// The patterns of fields that hold resource names: the texts around the variables of each.
    pub names: Vec<(String, Vec<Vec<String>>)>,
    /// The fields whose content only Python checks. A dot leads to a field of the field.
    pub doubtful: Vec<String>,
    /// The event that the message is; empty for none.
    pub event: String,
    /// The fields that belong to it, in the order that the event has, with dots as well.
    pub slots: Vec<String>,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A message with the name of its session: the name.
    Session,
    /// A tool call: id, id of its parent, and the parts of the tool's name.
    Call,
    /// A tool response: id, and the parts of the tool's name.
    Response,
    /// An output of a session: number of the turn, text, whether it ends the turn.
    Output,
    /// A question, with which a turn begins.
    Question,
    /// The data of an answer: names of a query and of a result, then sources without a name.
    Data,
}

impl EventKind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "session" => Self::Session,
            "call" => Self::Call,
            "response" => Self::Response,
            "output" => Self::Output,
            "question" => Self::Question,
            "data" => Self::Data,
            _ => return None,
        })
    }
}

/// The plans of all message types of a schema, in its order.
pub struct Plan {
    pub messages: Box<[MessagePlan]>,
    /// The number of fields with patterns.
    pub named: usize,
}

/// The rules of one message type.
pub struct MessagePlan {
    pub event: Option<EventKind>,
    /// The bits of the required fields.
    pub required: u32,
    pub rules: Box<[FieldRules]>,
    /// From numbers of fields to the places of their rules, from 1.
    low: [u16; LOW],
}

/// The rules of one field, and its part in the rules of its message.
pub struct FieldRules {
    pub number: u32,
    /// The place of the field in its message.
    pub field: usize,
    pub is_repeated: bool,
    /// The bit of a required field, and the sign that it is set.
    pub required: Option<(u32, Sign)>,
    pub patterns: Box<[Pattern]>,
    /// Its number among the fields with patterns.
    pub names: usize,
    /// Whether there are patterns or doubt.
    pub is_checked: bool,
    /// Whether content of the field is left to Python, or that of a field in it.
    pub doubtful: Option<Inside>,
    pub slot: Option<(usize, Inside)>,
    /// The message type of the field, if something is checked in it.
    pub into: Option<u32>,
}

/// A field, or a field of the message in it, by its number.
#[derive(Clone, Copy)]
pub enum Inside {
    Itself,
    Field(u32),
}

/// The sign on the wire that a required field is set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Presence,
    /// A text or a number that is not the default, or a list that is not empty.
    Value,
    /// A message with such a field.
    Message,
}

/// A pattern of resource names: the texts around its variables.
pub struct Pattern(Box<[Box<[u8]>]>);

impl Pattern {
    /// Whether a name surely fits: each variable is one segment of it.
    pub fn fits(&self, name: &[u8]) -> bool {
        let Some((first, others)) = self.0.split_first() else { return false };
        let Some(mut rest) = name.strip_prefix(&**first) else { return false };
        for text in others {
            let end = memchr::memchr(b'/', rest).unwrap_or(rest.len());
            match rest[end..].strip_prefix(&**text) {
                Some(after) if end > 0 => rest = after,
                _ => return false,
            }
        }
        rest.is_empty()
    }
}

impl MessagePlan {
    /// The rules of a field.
    #[inline(always)]
    pub fn rules_of(&self, number: u32) -> Option<&FieldRules> {
        let place = match self.low.get(number as usize) {
            Some(place) => usize::from(*place).checked_sub(1)?,
            None => self.rules.iter().position(|rules| rules.number == number)?,
        };
        self.rules.get(place)
    }
}

impl Plan {
    /// The plan of a schema whose messages have these names; None if a description does not fit.
    pub fn new(
        schema: &Schema,
        names: &[Vec<u8>],
        described: &HashMap<String, Described>,
    ) -> Option<Self> {
        let of = |index: usize| described.get(std::str::from_utf8(names.get(index)?).ok()?);
        let mut leads: Vec<bool> = (0..schema.messages.len()).map(|at| of(at).is_some()).collect();
        loop {
            let more = schema.messages.iter().enumerate().filter(|(at, message)| {
                !leads[*at] && targets(message).any(|target| leads[target as usize])
            });
            let more: Vec<_> = more.map(|(at, _)| at).collect();
            if more.is_empty() {
                break;
            }
            more.into_iter().for_each(|at| leads[at] = true);
        }
        let plans = schema.messages.iter().enumerate();
        let plans = plans.map(|(at, message)| message_plan(schema, message, of(at), &leads));
        let mut messages: Box<[_]> = plans.collect::<Option<_>>()?;
        let mut named = 0;
        for rules in messages.iter_mut().flat_map(|message| &mut message.rules) {
            rules.is_checked = !rules.patterns.is_empty() || rules.doubtful.is_some();
            rules.names = named;
            named += usize::from(!rules.patterns.is_empty());
        }
        Some(Self { messages, named })
    }
}

/// The message types of the fields of a message.
fn targets(message: &Message) -> impl Iterator<Item = u32> {
    let is_message = |field: &&Field| matches!(field.kind, Kind::Message | Kind::Group);
    message.fields.iter().filter(is_message).map(|field| field.target)
}

fn message_plan(
    schema: &Schema,
    message: &Message,
    described: Option<&Described>,
    leads: &[bool],
) -> Option<MessagePlan> {
    let mut rules: Vec<FieldRules> = Vec::new();
    for (place, field) in message.fields.iter().enumerate() {
        let is_message = matches!(field.kind, Kind::Message | Kind::Group);
        let leads_on = is_message && leads[field.target as usize];
        // Keys of maps and bounds of groups are not walked.
        let is_walked = field.kind == Kind::Message && field.cardinality != Cardinality::Map;
        rules.push(FieldRules {
            number: field.number,
            field: place,
            is_repeated: field.cardinality != Cardinality::Singular,
            required: None,
            patterns: Box::default(),
            names: 0,
            is_checked: false,
            doubtful: (leads_on && !is_walked).then_some(Inside::Itself),
            slot: None,
            into: (leads_on && is_walked).then_some(field.target),
        });
    }
    let mut required = 0;
    let event = described.map(|described| &*described.event).filter(|name| !name.is_empty());
    let event = event.map(|name| EventKind::named(name).ok_or(())).transpose().ok()?;
    if let Some(described) = described {
        if described.slots.len() > MAX_SLOTS {
            return None;
        }
        for (bit, name) in described.required.iter().enumerate() {
            let (place, _) = field_at(schema, message, name)?;
            required |= 1 << bit.min(MAX_REQUIRED - 1);
            // The last bit stands for all that are too many, and Python decides.
            if bit < MAX_REQUIRED - 1 {
                rules[place].required = Some((1 << bit, sign_of(schema, &message.fields[place])));
            }
        }
        for (name, patterns) in &described.names {
            let (place, _) = field_at(schema, message, name)?;
            rules[place].patterns = patterns.iter().map(|texts| pattern(texts)).collect();
        }
        for name in &described.doubtful {
            let (place, inside) = field_at(schema, message, name)?;
            rules[place].doubtful = Some(inside);
        }
        for (slot, name) in described.slots.iter().enumerate() {
            let (place, inside) = field_at(schema, message, name)?;
            rules[place].slot = Some((slot, inside));
        }
    }
    rules.retain(|rules| {
        rules.required.is_some()
            || !rules.patterns.is_empty()
            || rules.doubtful.is_some()
            || rules.slot.is_some()
            || rules.into.is_some()
    });
    let mut low = [0; LOW];
    for (place, rules) in rules.iter().enumerate() {
        if let Some(entry) = low.get_mut(rules.number as usize) {
            *entry = u16::try_from(place + 1).ok()?;
        }
    }
    Some(MessagePlan { event, required, rules: rules.into(), low })
}

/// The place of a field by its name, and the part of it that is meant.
fn field_at(schema: &Schema, message: &Message, name: &str) -> Option<(usize, Inside)> {
    let (first, inner) = match name.split_once('.') {
        Some((first, inner)) => (first, Some(inner)),
        None => (name, None),
    };
    let place = place_of(message, first)?;
    let Some(inner) = inner else { return Some((place, Inside::Itself)) };
    let target = schema.messages.get(message.fields[place].target as usize)?;
    let inner = place_of(target, inner)?;
    Some((place, Inside::Field(target.fields[inner].number)))
}

fn place_of(message: &Message, name: &str) -> Option<usize> {
    message.fields.iter().position(|field| field.proto_name() == name.as_bytes())
}

fn sign_of(schema: &Schema, field: &Field) -> Sign {
    match field.cardinality {
        // All values of a list may be names of an enum that are left out.
        Cardinality::Repeated if field.kind.packs() => Sign::Value,
        Cardinality::Repeated | Cardinality::Map => Sign::Presence,
        Cardinality::Singular if matches!(field.kind, Kind::Message | Kind::Group) => {
            match schema.messages[field.target as usize].shape {
                Shape::Fields | Shape::Foreign => Sign::Message,
                // An empty Struct may be meant.
                _ => Sign::Presence,
            }
        }
        Cardinality::Singular if field.presence => Sign::Presence,
        Cardinality::Singular => Sign::Value,
    }
}

fn pattern(texts: &[String]) -> Pattern {
    Pattern(texts.iter().map(|text| text.as_bytes().into()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_their_patterns() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let tools: Vec<String> = texts(&["projects/", "/tools/", ""]);
        let tools = pattern(&tools);
        assert!(tools.fits(b"projects/p/tools/t"));
        for name in
            ["", "projects/", "projects/p/tools/", "projects//tools/t", "projects/p/tools/t/x"]
        {
            assert!(!tools.fits(name.as_bytes()), "{name}");
        }
        let word: Vec<String> = texts(&["PROJECT"]);
        assert!(pattern(&word).fits(b"PROJECT"));
        assert!(!pattern(&word).fits(b"PROJECTS"));
        // Only Python tells where the first of two variables in one segment ends.
        let two: Vec<String> = texts(&["", "-", ""]);
        assert!(!pattern(&two).fits(b"a-b"));
    }
}
