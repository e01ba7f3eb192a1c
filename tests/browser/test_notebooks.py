"""A notebook that is run, and its page in Chromium: views are shown, in light and dark."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsers import find_browser

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


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The notebook after its run."""
    # The kernel's files stay out of the home of whoever runs the tests.
    home = tmp_path_factory.mktemp("jupyter")
    cells = [nbformat.v4.new_code_cell(source) for source in (SETUP, *CELLS.values())]
    made = nbformat.v4.new_notebook(cells=cells)
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
