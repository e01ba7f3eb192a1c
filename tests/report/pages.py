"""Reads a page as a browser would: a tree of elements, with the end tags that HTML leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "img", "link", "br", "hr", "input", "source", "base"}
ENDED_BY: dict[str, set[str]] = {
    "td": {"td", "th", "tr", "tbody"},
    "th": {"td", "th", "tr", "tbody"},
    "tr": {"tr", "tbody"},
    "thead": {"tbody"},
    "tbody": set(),
}
"""Elements whose end tags may be missing, and the start tags that end them."""


@dataclass(eq=False)
class Element:
    """An element, with its attributes and whatever is in it."""

    tag: str
    attributes: dict[str, str | None] = field(default_factory=dict[str, "str | None"])
    content: list[Element | str] = field(default_factory=list["Element | str"])

    def all(self, *tags: str) -> Iterator[Element]:
        """Yields this element and those in it, in order; with tags only elements of these."""
        if not tags or self.tag in tags:
            yield self
        for child in self.content:
            if isinstance(child, Element):
                yield from child.all(*tags)

    def one(self, tag: str) -> Element:
        """Returns the only element of a tag."""
        [found] = self.all(tag)
        return found

    @property
    def text(self) -> str:
        """The text of the element and of those in it, without styles."""
        if self.tag == "style":
            return ""
        return "".join(each if isinstance(each, str) else each.text for each in self.content)

    def by_id(self, identity: str) -> Element:
        """Returns the element with an id."""
        [found] = (each for each in self.all() if each.attributes.get("id") == identity)
        return found


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("#document")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute comes twice in {tag}"
        while tag in ENDED_BY.get(self.open[-1].tag, set()):
            self.open.pop()
        element = Element(tag, dict(attrs))
        self.open[-1].content.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].content.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self.open[-1].tag != tag and self.open[-1].tag in ENDED_BY:
            self.open.pop()
        assert self.open[-1].tag == tag, f"{tag} ends within {self.open[-1].tag}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].content.append(data)


def parsed(page: str) -> Element:
    """Returns the tree of a page; elements that are not nested properly are an error."""
    builder = _Builder()
    builder.feed(page)
    builder.close()
    assert [element.tag for element in builder.open] == ["#document"]
    return builder.open[0]
