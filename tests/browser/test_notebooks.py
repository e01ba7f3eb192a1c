"""Notebooks that are run: the recipe against a service on loopback, views in Chromium."""

from __future__ import annotations

import io
import itertools
import os
import threading
import warnings
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from browsers import find_browser

import turnwire
from turnwire import geminidataanalytics as gda

pytest.importorskip("ipykernel")
nbclient = pytest.importorskip("nbclient")
nbconvert = pytest.importorskip("nbconvert")
nbformat = pytest.importorskip("nbformat")

pytestmark = [
    pytest.mark.skipif(find_browser() is None, reason="Chromium is not on this machine"),
    # Jupyter's own libraries announce changes of theirs.
    pytest.mark.filterwarnings("default"),
]

if find_browser() is not None:
    from browser.chromium import Chromium

ROOT = Path(__file__).resolve().parents[2]
SETUP = """
import turnwire
from turnwire import ces, geminidataanalytics as gda
session = ces.Session.collect(turnwire.read(ces.RunSessionResponse, "examples/ces_session.ndjson"))
answer = gda.Answer.collect(turnwire.read(gda.Message, "examples/analytics_answer.json"))
"""
CELLS = {
    "Session": "session",
    "Turn": "session.turns[1]",
    "ToolExchange": "session.tool_exchanges[2]",
    "Answer": "answer",
    "Table": "answer.results_for_display[0]",
    "Chart": "answer.charts[1]",
    "Chart again": "answer.charts[1]",
    "list": "[session.turns[0]]",
}


def executed(made: Any, home: Path) -> Any:
    """Runs a notebook in a kernel, whose files stay out of the home of whoever runs the tests."""
    client = nbclient.NotebookClient(
        made, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}
    )
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setenv("JUPYTER_RUNTIME_DIR", str(home))
        patch.setenv("IPYTHONDIR", str(home))
        patch.setenv("PYTHONWARNINGS", "ignore")
        client.execute()
    return made


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The notebook after its run."""
    cells = [nbformat.v4.new_code_cell(source) for source in (SETUP, *CELLS.values())]
    return executed(nbformat.v4.new_notebook(cells=cells), tmp_path_factory.mktemp("jupyter"))


def outputs(notebook: Any) -> dict[str, dict[str, str]]:
    """The data of each cell's result, by the names of `CELLS`."""
    cells = notebook.cells[1:]
    return {name: cell.outputs[0].data for name, cell in zip(CELLS, cells, strict=True)}


def test_a_notebook_holds_markup_and_repr(notebook: Any) -> None:
    found = outputs(notebook)
    for name in CELLS:
        assert found[name]["text/plain"].startswith("[Turn(" if name == "list" else name.split()[0])
    assert "text/html" not in found["list"]
    for name in CELLS.keys() - {"list"}:
        assert found[name]["text/html"].startswith('<div class="turnwire"')
        assert "<style" not in found[name]["text/html"]


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    browser = Chromium(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def pages(notebook: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The notebook as pages of Jupyter, in its two themes, and without any style at all."""
    folder = tmp_path_factory.mktemp("pages")
    written = {}
    for theme in ("light", "dark"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exporter = nbconvert.HTMLExporter(template_name="lab", theme=theme)
            html, _ = exporter.from_notebook_node(notebook)
        written[theme] = folder / f"{theme}.html"
        written[theme].write_text(html, encoding="utf-8")
    bare = "".join(
        f"<div>{data['text/html']}</div>"
        for data in outputs(notebook).values()
        if "text/html" in data
    )
    written["bare"] = folder / "bare.html"
    written["bare"].write_text(
        f'<!doctype html><html lang="en"><title>x</title><body>{bare}', encoding="utf-8"
    )
    return written


CONTRAST = """
(() => {
  const luminance = ([r, g, b]) => [r, g, b]
    .map(each => each / 255)
    .map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
    .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
  const rgba = text => [...text.match(/[\\d.]+/g).map(Number), 1].slice(0, 4);
  const blend = (over, under) => over.slice(0, 3)
    .map((each, index) => each * over[3] + under[index] * (1 - over[3])).concat(1);
  const back = element => {
    if (!element) return [255, 255, 255, 1];
    const own = rgba(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : blend(own, back(element.parentElement));
  };
  const poor = [];
  for (const element of document.querySelectorAll('.turnwire, .turnwire *')) {
    if (element.closest('svg')) continue;
    if (![...element.childNodes].some(each => each.nodeType === 3 && each.data.trim())) continue;
    const behind = back(element);
    let colour = rgba(getComputedStyle(element).color);
    for (let up = element; up; up = up.parentElement) {
      colour[3] *= Number(getComputedStyle(up).opacity);
    }
    const [one, two] = [luminance(blend(colour, behind)), luminance(behind)].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (two + 0.05);
    if (ratio < 4.5) poor.push([ratio.toFixed(2), element.outerHTML.slice(0, 100)]);
  }
  return poor;
})()
"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_jupyter_shows_the_views(chromium: Chromium, pages: dict[str, Path], theme: str) -> None:
    with chromium.page(pages[theme], scheme=theme) as page:
        shown = "[...document.querySelectorAll('.turnwire')]"
        assert page.evaluate(f"{shown}.length") == len(CELLS) - 1
        assert page.evaluate(f"{shown}.every(each => each.getBoundingClientRect().height > 20)")
        assert page.evaluate(f"{shown}.every(each => each.scrollWidth <= each.clientWidth + 1)")
        heads = "[...document.querySelectorAll('.turnwire th')]"
        assert page.evaluate(f"{heads}.every(each => each.getBoundingClientRect().height < 40)")
        assert page.evaluate(CONTRAST) == []
        if folder := os.environ.get("TURNWIRE_PICTURES"):
            Path(folder, f"notebook-{theme}.png").write_bytes(page.screenshot())
        page.evaluate(f"{shown}.forEach(each => each.style.color = '#777')")
        assert page.evaluate(CONTRAST) != [], "the measure of contrast finds nothing"


@pytest.mark.parametrize("width", [320, 1000])
def test_markup_without_any_style_is_readable(
    chromium: Chromium, pages: dict[str, Path], width: int
) -> None:
    with chromium.page(pages["bare"], width=width) as page:
        page.evaluate(
            "document.querySelectorAll('[style]').forEach(each => each.removeAttribute('style'))"
        )
        words = page.evaluate("document.body.innerText")
        for word in ("Which boats cross tonight?", "find_boats", "Scarlet runner leads with"):
            assert word in words
        assert page.requests() == []
        assert page.complaints() == []


def test_one_id_stands_for_one_thing(chromium: Chromium, pages: dict[str, Path]) -> None:
    """A chart that two cells show has the same ids in both, of the same elements."""
    with chromium.page(pages["bare"]) as page:
        marked = page.evaluate(
            "[...document.querySelectorAll('[id]')].map(each => [each.id, each.outerHTML])"
        )
        assert len(marked) >= 3
        things = {(name, thing) for name, thing in marked}
        assert len(things) == len({name for name, _ in things})
        assert page.evaluate("document.querySelectorAll('svg').length") >= 3


class Service(ThreadingHTTPServer):
    """Plays Conversational Analytics: a recorded question gets the messages that came after it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.recorded = list(
            turnwire.read(gda.Message, ROOT / "examples" / "analytics_answer.json")
        )
        self.requests: list[gda.ChatRequest] = []

    def reply_to(self, question: str) -> list[gda.Message]:
        [start] = [
            number
            for number, message in enumerate(self.recorded)
            if message.user_message.text == question
        ]
        rest = self.recorded[start + 1 :]
        return list(itertools.takewhile(lambda message: not message.HasField("user_message"), rest))


class Handler(BaseHTTPRequestHandler):
    server: Service
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = turnwire.from_json(gda.ChatRequest, body)
        assert self.path == f"/v1/{request.parent}:chat"
        assert self.headers["Authorization"] == "Bearer secret"
        self.server.requests.append(request)
        written = io.BytesIO()
        turnwire.write(
            self.server.reply_to(request.messages[-1].user_message.text), written, "array"
        )
        reply = written.getvalue()
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for start in range(0, len(reply), 1000):
            piece = reply[start : start + 1000]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as service:
        thread = threading.Thread(target=service.serve_forever)
        thread.start()
        yield service
        service.shutdown()
        thread.join()


def test_the_recipe_asks_and_goes_on(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SERVICE", f"http://127.0.0.1:{service.server_port}")
    monkeypatch.setenv("PARENT", "projects/sample-seeds/locations/global")
    monkeypatch.setenv("AGENT", "seeds")
    monkeypatch.setenv("TOKEN", "secret")
    path = ROOT / "examples" / "recipes" / "ask_in_a_notebook.ipynb"
    run = executed(nbformat.read(path, as_version=4), tmp_path)

    results = [
        output
        for cell in run.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type != "stream"
    ]
    asked_back, answer, frame, packets, chart, svg, follow_ups = (each.data for each in results)
    assert "Which season do you mean?" in asked_back["text/html"]
    assert "Scarlet runner leads with 1,204 packets" in answer["text/html"]
    assert "<td>Scarlet runner</td>" in frame["text/html"]
    assert "<td>1204</td>" in frame["text/html"]
    assert packets["text/plain"] == "2007"
    assert "<svg" in chart["text/html"]
    assert "Packets per variety" in chart["text/html"]
    assert svg["text/plain"] == "'<svg'"
    assert follow_ups["text/plain"] == "('Which seeds came back late?', 'How was spring 2024?')"
    streams = [out.text for cell in run.cells for out in cell.get("outputs", ()) if "text" in out]
    assert streams == ["Reading the tables of the seed library\n"]

    first, second = service.requests
    question, asked_back, reply, *_ = service.recorded
    assert [gda.text_of(message) for message in first.messages] == [question.user_message.text]
    assert [each.WhichOneof("kind") for each in second.messages] == [
        "user_message",
        "system_message",
        "user_message",
    ]
    assert second.messages[0] == first.messages[0]
    assert second.messages[1] == asked_back
    assert second.messages[2].user_message == reply.user_message
    assert second.data_agent_context.data_agent.endswith("/dataAgents/seeds")
