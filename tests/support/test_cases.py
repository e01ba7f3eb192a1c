"""Tests `for_each` itself: all cases run, and the error lists those that fail."""

from __future__ import annotations

import inspect

import pytest

from support.cases import for_each


def test_all_cases_run_and_the_failing_ones_are_listed() -> None:
    tried = []

    @for_each("number", range(30))
    @for_each(("left", "right"), [(1, 2), (3, 4)], ids=str)
    def test(number: int, left: int, right: int, fixture: list[int]) -> None:
        tried.append((number, left, right))
        assert number < 5 or left == 1, "too large"

    assert list(inspect.signature(test).parameters) == ["fixture"]
    with pytest.raises(AssertionError) as caught:
        test(fixture=[])
    assert len(tried) == 60
    first, case, *_, last = str(caught.value).splitlines()
    assert first == "25 of 30 cases failed:"
    assert case.startswith("  number=5: AssertionError: 1 of 2 cases failed: …")
    assert last == "  and 5 more"
    assert "(3, 4): AssertionError: too large" in str(caught.value.__cause__)


def test_a_failure_of_any_kind_is_listed() -> None:
    @for_each("text", ["1", "x", "y"])
    def test(text: str) -> None:
        if text == "y":
            pytest.fail("refused")
        int(text)

    with pytest.raises(AssertionError, match=r"2 of 3.*\n  text='x': ValueError.*\n.*: refused"):
        test()


def test_cases_may_be_skipped() -> None:
    @for_each("number", [1, 2])
    def test(number: int, skipped: tuple[int, ...]) -> None:
        if number in skipped:
            pytest.skip("not here")

    test(skipped=(1,))
    with pytest.raises(pytest.skip.Exception):
        test(skipped=(1, 2))


def test_there_must_be_cases() -> None:
    with pytest.raises(ValueError, match="no cases for number"):
        for_each("number", [])
