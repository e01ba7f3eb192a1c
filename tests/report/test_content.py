"""Media, charts, tables and citations in a page, and texts that try to be more than text."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest
from report.conversations import answer_of, answers, of_messages, of_output
from report.pages import Element, parsed
from report.test_page import ATTRIBUTES, TAGS, outside_of_drawings

from turnwire import ces, from_dict, report

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAHElEQVR42mP4"
    "dSkKiDSipgERA4RC4UDkGZCVAQBj7BfVxNsr4AAAAABJRU5ErkJggg=="
)
BAR: dict[str, Any] = {
    "mark": "bar",
    "title": "Loans",
    "data": {"values": [{"sort": "Pea", "loans": 41}, {"sort": "Bean", "loans": 12}]},
    "encoding": {"x": {"field": "sort", "type": "nominal"}, "y": {"field": "loans"}},
}


def chart_of(spec: dict[str, Any] | None = None, **image: Any) -> dict[str, Any]:
    result = {} if spec is None else {"vegaConfig": spec}
    return {"chart": {"result": {**result, **({"image": image} if image else {})}}}


def page_of(*contents: dict[str, Any], **options: Any) -> Element:
    return parsed(report.html(answer_of(*contents), **options))


def test_an_image_is_in_the_page_with_its_words() -> None:
    image = {"mimeType": "image/png; q=1", "data": PNG, "altText": 'A "cello" <b>'}
    picture = parsed(report.html(of_output(image=image))).one("img")
    assert picture.attributes["src"] == f"data:image/png;base64,{PNG}"
    assert picture.attributes["alt"] == 'A "cello" <b>'
    del image["altText"]
    bare = parsed(report.html(of_output(image=image))).one("img")
    assert bare.attributes["alt"] == "image without description"


def test_media_can_be_left_out_with_a_note() -> None:
    image = {"mimeType": "image/png", "data": PNG, "altText": "A cello"}
    page = parsed(report.html(of_output(image=image), media=False))
    assert [*page.all("img")] == []
    assert page.one("figcaption").text == "image: A cello (image/png, 85 bytes); left out"
    assert "image, A cello (image/png, 85 bytes): media are switched off" in page.one("footer").text


@pytest.mark.parametrize(
    "mime_type", ["text/html", "image/svg+xml;x", "application/pdf", "image/x-icon", "", "image/"]
)
def test_only_harmless_types_become_elements(mime_type: str) -> None:
    blob = {"blob": {"mimeType": mime_type, "data": base64.b64encode(b"<script>").decode()}}
    page = parsed(report.html(of_messages({"role": "user", "chunks": [blob]})))
    shown = [*page.all("img"), *page.all("audio")]
    if mime_type.startswith("image/svg"):
        [picture] = shown  # an image runs no script
        assert (picture.attributes["src"] or "").startswith("data:image/svg+xml;base64,")
    else:
        assert shown == []
        assert "(" not in mime_type
        assert f"{mime_type}, 8 bytes".removeprefix(", ") in page.one("main").text
        assert "its type is not one that is shown" in page.one("footer").text


def test_audio_has_controls_and_its_words_beside_it() -> None:
    said = [
        {"turnIndex": 1, "text": "Ahoy!"},
        {"turnIndex": 1, "audio": base64.b64encode(b"RIFF....WAVE").decode()},
    ]
    page = parsed(
        report.html(ces.Session.collect(from_dict(ces.SessionOutput, each) for each in said))
    )
    audio = page.one("audio")
    assert "controls" in audio.attributes
    assert (audio.attributes["src"] or "").startswith("data:audio/wav;base64,UklGRi4uLi5XQVZF")
    [reply] = (each for each in page.all("article") if audio in [*each.all()])
    assert "Ahoy!" in reply.text


def test_raw_audio_gets_the_header_of_its_encoding() -> None:
    config = {"outputAudioConfig": {"audioEncoding": "LINEAR16", "sampleRateHertz": 8000}}
    session = ces.Session.collect(
        [
            from_dict(ces.RunSessionRequest, {"config": config}),
            ces.RunSessionResponse(outputs=[ces.SessionOutput(turn_index=1, audio=bytes(8))]),
        ]
    )
    source = parsed(report.html(session)).one("audio").attributes["src"] or ""
    data = base64.b64decode(source.removeprefix("data:audio/wav;base64,"))
    assert session.output_audio_config is not None
    assert data == ces.to_wav(bytes(8), session.output_audio_config)
    unknown = parsed(report.html(of_output(audio="AAAA")))
    assert [*unknown.all("audio")] == []
    assert "the recording does not name its encoding" in unknown.one("footer").text


def test_a_chart_is_a_drawing_with_its_data() -> None:
    page = page_of(chart_of(BAR), chart_of(BAR))
    ids = [each.attributes["id"] for each in page.all() if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    for drawing in page.all("svg"):
        assert drawing.attributes["role"] == "img"
        title = page.by_id(drawing.attributes["aria-labelledby"] or "")
        assert (title.tag, title.text) == ("title", "Loans")
    tables = [*page.all("table")]
    assert len(tables) == len([*page.all("svg")]) == 2
    # A Struct has no order: the API's come in that of their names.
    assert [cell.text for cell in tables[0].all("th", "td")] == [
        *("loans", "sort"),
        *("41", "Pea"),
        *("12", "Bean"),
    ]


@pytest.mark.parametrize(
    ("spec", "options", "reason"),
    [
        ({**BAR, "mark": "no such mark"}, {}, "not drawn: "),
        ({**BAR, "data": {"url": "https://data.example/x.csv"}}, {}, "not drawn: "),
        (BAR, {"charts": False}, "charts are switched off"),
    ],
)
def test_a_chart_that_is_not_drawn_has_its_data_and_the_reason(
    spec: dict[str, Any], options: dict[str, bool], reason: str
) -> None:
    page = page_of(chart_of(spec), **options)
    assert [*page.all("svg")] == []
    assert f"Loans; {reason}" in page.one("figcaption").text
    assert ("values" in spec["data"]) == ("Bean" in page.one("main").text)
    assert "loans" in page.one("main").text


def test_links_in_drawings_stay_out() -> None:
    encoding = {**BAR["encoding"], "href": {"value": "javascript:alert(1)"}}
    assert "javascript" not in report.html(answer_of(chart_of({**BAR, "encoding": encoding})))


def test_a_picture_of_the_service_is_an_image_and_never_inline() -> None:
    drawing = base64.b64encode(b"<svg onload='alert(1)'></svg>").decode()
    page = page_of(chart_of(mimeType="image/svg+xml", data=drawing))
    assert page.one("img").attributes["src"] == f"data:image/svg+xml;base64,{drawing}"
    assert [*page.all("svg")] == []


def test_cited_words_link_to_their_sources() -> None:
    page = parsed(report.html(answers()))
    links = [
        (each.text, each.attributes["href"])
        for each in page.all("a")
        if (each.attributes["href"] or "").startswith("http")
    ]
    assert links[:3] == [
        ("1,204 packets", "https://seeds.example/loans"),
        ("Žlutá hvězda", "https://seeds.example/loans"),
        ("40 % of all loans", "https://seeds.example/loans"),
    ]


def cited(text: str, *ranges: tuple[int, int], uri: str = "https://a.example") -> ces.Session:
    inline = [{"startIndex": a, "endIndex": b, "citedChunkIndices": [0]} for a, b in ranges]
    citations = {"citedChunks": [{"uri": uri, "title": "Menu"}], "inlineCitations": inline}
    outputs = [{"turnIndex": 1, "text": text}, {"turnIndex": 1, "citations": citations}]
    return ces.Session.collect(from_dict(ces.SessionOutput, each) for each in outputs)


def test_citations_count_bytes_and_may_overlap() -> None:
    page = parsed(report.html(cited("Crème brûlée", (0, 6), (3, 15), (7, 15))))
    [words] = (each for each in page.all("div") if each.attributes.get("dir") and "Cr" in each.text)
    assert re.sub(r"\[\d\]", "", words.text) == "Crème brûlée"
    assert [each.text for each in words.all("a")] == ["Cr", "ème", " ", "brûlée"]
    assert [each.text for each in words.all("sup")] == ["[1]", "[2]", "[3]"]


def test_many_overlapping_citations_stay_in_proportion() -> None:
    size = len(report.html(cited("é" * 2000, *((0, 4000 - 2 * n) for n in range(1000)))))
    assert size < 500_000


@pytest.mark.parametrize(
    "uri",
    ["javascript:alert(1)", "data:text/html,x", "//a.example", " https://a.example", "ftp://a"],
)
def test_only_addresses_of_the_web_become_links(uri: str) -> None:
    page = parsed(report.html(cited("Soup", (0, 4), uri=uri)))
    assert all((each.attributes["href"] or "").startswith("#") for each in page.all("a"))
    assert uri.strip() in page.one("main").text


def test_steps_of_an_analysis_are_shown() -> None:
    events: list[dict[str, Any]] = [
        {"plannerReasoning": "a plan"},
        {"coderInstruction": "an instruction"},
        {"code": "print(1)"},
        {"executionOutput": "the output"},
        {"executionError": "a failure"},
        {"resultNaturalLanguage": "the finding"},
        {"resultCsvData": "sort,loans\nPea,41\n"},
        {"resultReferenceData": "a reference"},
        {"error": "an error"},
    ]
    page = page_of(*({"analysis": {"progressEvent": event}} for event in events))
    text = page.one("main").text
    positions = [
        text.index(str(value).split("\n")[0].split(",")[0]) for e in events for value in e.values()
    ]
    assert positions == sorted(positions)
    assert [cell.text for cell in page.one("table").all("th", "td")] == [
        "sort",
        "loans",
        "Pea",
        "41",
    ]
    assert [each.attributes["class"] for each in page.all("article")].count("error") == 2


def test_unknown_content_is_shown_as_json() -> None:
    page = page_of({"groupId": 3}, {"text": {"parts": ["Well"]}})
    assert '"groupId": 3' in page.one("main").text
    assert "text without a type" in page.one("main").text
    context = {"@type": "type.googleapis.com/google.protobuf.Duration", "value": "3s"}
    assert '"value": "3s"' in report.html(of_output(text="x", context=[context]))


def test_large_tables_are_cut_and_say_so() -> None:
    rows = [{"n": n} for n in range(1005)]
    page = page_of({"data": {"result": {"name": "r", "data": rows}}})
    assert len([*page.one("table").all("tr")]) == 1001
    assert "5 rows of a table: a page holds 1000" in page.one("footer").text


HOSTILE = [
    "<script>alert(1)</script>",
    "]]><img src=x onerror=alert(1)>",
    '\'" onmouseover="alert(1)" x=\'',
    "</style></title></pre></table><svg/onload=alert(1)>",
    "javascript:alert(1)",
    "\u202egpj.exe\u2066",
    "a\x00b\x1b[2J\x9b1m\x07",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt;&amp;",
    "x" * 100_000,
]


def hostile_views(text: str) -> list[Any]:
    """Returns conversations with a text wherever a service may put one."""
    tool = {"id": text, "displayName": text, "agentName": text}
    said: list[dict[str, Any]] = [
        {"role": text, "chunks": [{"text": f"{text} said"}, {"payload": {text: text}}]},
        {"role": "user", "chunks": [{"text": text}]},
        {"chunks": [{"toolCall": {**tool, "args": {text: text}}}]},
        {"chunks": [{"toolResponse": {**tool, "response": {"error": {text: text}}}}]},
        {"chunks": [{"updatedVariables": {text: [text]}}]},
        {"chunks": [{"agentTransfer": {"targetAgent": text, "displayName": text}}]},
        {"chunks": [{"image": {"mimeType": text, "data": PNG, "altText": text}}]},
        {"chunks": [{"image": {"mimeType": "image/png", "data": PNG, "altText": text}}]},
    ]
    span = {"name": text, "duration": "1s", "attributes": {text: text, f"tokens{text}": 1}}
    citations = {
        "citedChunks": [{"uri": text, "title": text, "text": text}],
        "inlineCitations": [{"endIndex": 5, "citedChunkIndices": [0]}],
    }
    suggested = {"htmls": [text], "webSearchQueries": [{"query": text, "uri": text}]}
    outputs: list[dict[str, Any]] = [
        {"text": text},
        {"progress": text},
        {"citations": citations},
        {"googleSearchSuggestions": suggested},
        {"payload": {text: {text: text}}},
        {"endSession": {"metadata": {text: text}}},
        {"turnCompleted": True, "diagnosticInfo": {"messages": said, "rootSpan": span}},
    ]
    session = ces.Session.collect(
        from_dict(ces.SessionOutput, {"turnIndex": 1, **output}) for output in outputs
    )
    anchor = {"textMessageAnchor": {"endOffsetBytes": 5, "sourceIds": ["s"]}}
    source = {"id": "s", "title": text, "uri": text}
    final = {"textType": "FINAL_RESPONSE", "parts": [text]}
    chart = {**BAR, "title": text, "data": {"name": text, "values": [{text: text}]}, "mark": text}
    answer = answer_of(
        {"text": final, "citation": {"sources": [source], "anchors": [anchor]}},
        {"text": {"textType": "THOUGHT", "parts": [text]}},
        {"text": {"textType": "FOLLOWUP_QUESTIONS", "parts": [text]}},
        {"error": {"text": text}},
        {"schema": {"query": {"question": text}}},
        {"data": {"query": {"name": text, "question": text}}},
        {"data": {"generatedSql": text}},
        {"data": {"result": {"name": text, "data": [{text: text}]}}},
        {"data": {"generatedLookerQuery": {"model": text, "explore": text}}},
        {"clarification": {"questions": [{"question": text, "options": [text]}]}},
        {
            "exampleQueries": {
                "exampleQueries": [{"naturalLanguageQuestion": text, "sqlQuery": text}]
            }
        },
        {"analysis": {"progressEvent": {"code": text}}},
        {"analysis": {"progressEvent": {"resultVegaChartJson": json.dumps(chart)}}},
        chart_of(None, mimeType=text, data=PNG),
    )
    return [session, answer]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
def test_texts_stay_texts(text: str) -> None:
    for view in hostile_views(text):
        problems = [report.Problem(text, turn=0), report.Problem(text)]
        page = report.html(view, title=text, problems=problems, left_out=[text], charts=False)
        tree = parsed(page)
        for element in tree.all():
            assert element.tag in TAGS | {"#document"}
            assert element.attributes.keys() <= ATTRIBUTES
            for name in ("href", "src"):
                value = element.attributes.get(name) or ""
                assert not value.lower().startswith("javascript:")
        assert all(each.isprintable() or each == "\n" for each in page)
        plain = tree.one("h1").text
        if text.isprintable():
            assert plain == text
            assert tree.one("title").text == text
        document = report.markdown(view, title=text, problems=problems, left_out=[text])
        assert all(each.isprintable() or each == "\n" for each in document)
        fenced = re.sub(r"(?ms)^(`{3,})\w*\n.*?\n\1$", "", document)
        assert re.search(r"(?<!\\)<(?!https?:)[a-z/]", fenced) is None
        assert re.search(r"\]\(<?javascript", fenced) is None


def test_lone_surrogates_can_be_written() -> None:
    spec = json.dumps({**BAR, "title": "\ud800"})
    page = report.html(answer_of({"analysis": {"progressEvent": {"resultVegaChartJson": spec}}}))
    assert page.encode()


def test_every_drawing_is_left_to_its_elements() -> None:
    for element in outside_of_drawings(page_of(chart_of(BAR))):
        assert element.attributes.keys() <= ATTRIBUTES


def test_rows_that_cannot_be_read_do_not_hide_the_answer() -> None:
    answer = answer_of({"data": {"result": {"name": "r", "data": [{"n": 1}]}}})
    answer.results[0].message.data[0].fields["n"].number_value = float("nan")
    assert "r: 1 row" in (text := parsed(report.html(answer)).one("main").text)
    assert "unreadable: " in text


def test_problems_beyond_the_turns_stand_at_the_end() -> None:
    problem = report.Problem("it broke", turn=7)
    assert (
        "it broke" in parsed(report.html(of_output(text="x"), problems=[problem])).by_id("end").text
    )
    assert "it broke" in report.html(answer_of(), problems=[problem])


def test_an_answer_without_its_messages_is_shown() -> None:
    assert "31 loaves" in report.html(type(answer_of())(text="31 loaves"))


def test_every_source_of_an_answer_is_shown() -> None:
    example = {"naturalLanguageQuestion": "How many loans?", "sqlQuery": "SELECT COUNT(*)"}
    term = {"displayName": "packet", "description": "Twenty seeds"}
    sources = [
        {"id": "1", "title": "Loan book", "uri": "https://seeds.example/loans"},
        {"id": "2", "title": "Packet", "glossaryTerm": term},
        {"id": "3", "title": "Count", "exampleQuery": example},
    ]
    words = ("Loan book", "Packet", "Twenty seeds", "Count", "How many loans?", "SELECT COUNT")
    anchor = {"textMessageAnchor": {"endOffsetBytes": 4, "sourceIds": ["2"]}}
    text = {"textType": "FINAL_RESPONSE", "parts": ["Many packets"]}
    for anchors in ([], [anchor]):
        citation = {"sources": sources, "anchors": anchors}
        answer = answer_of({"text": text, "citation": citation})
        for make in (report.html, report.markdown):
            for word in words:
                assert make(answer).count(word) == 1, word
            hidden = make(answer, redact=lambda path, text: "#")
            assert not any(word in hidden for word in words)
