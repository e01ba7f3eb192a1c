"""JSON numbers, bare or quoted, to exact integers and doubles, and back to JSON numbers."""

from __future__ import annotations

import math
import re
import struct
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, Overflow, localcontext

from turnwire.errors import excerpt
from turnwire.protojson._pure._problem import Problem
from turnwire.protojson._pure._values import ExactNeeded, ExactNumber, wrong_type

EXACT_IN_DOUBLE = 2**53

is_integer_text = re.compile(r"-?(?:0|[1-9][0-9]*)").fullmatch
_short_integer = re.compile(r"-?(?:0|[1-9][0-9]{0,19})").fullmatch
_number = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?").fullmatch
_minus_zero = re.compile(r"-0(?=\s*(?:[,\]}]|\Z))").search
_names = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}

# The context of the caller may trap or round.
_EXACT = Context(traps=[DivisionByZero, InvalidOperation, Overflow])

# Above this power of ten nothing fits 64 bits; deciding so spares the expansion of 1e999999999.
_MAX_DIGITS = 25


class Source:
    """The text that a document's numbers come from, or None for values that never were text."""

    __slots__ = ("_has_minus_zero", "text")

    def __init__(self, text: str | None) -> None:
        self.text = text
        self._has_minus_zero: bool | None = None

    def may_hold_minus_zero(self) -> bool:
        """Returns whether a zero may have been written -0, which Python's int forgets."""
        if self._has_minus_zero is None:
            self._has_minus_zero = self.text is not None and bool(_minus_zero(self.text))
        return self._has_minus_zero


def _integer_of_text(text: str) -> int:
    # 3.0 is how programs without integers write 3.
    whole = text.removesuffix(".0")
    if _short_integer(whole):
        return int(whole)
    if not _number(text):
        raise Problem("value", f"expected a number in JSON syntax, got {excerpt(text)}")
    try:
        with localcontext(_EXACT):
            number = Decimal(text)
            if not number:
                return 0
            if number.adjusted() > _MAX_DIGITS:
                raise Problem("range", f"{_shown(text)} does not fit 64 bits")
            # One that is smaller than 1 is never whole, and expanding it could take forever.
            if number.adjusted() >= 0 and number == number.to_integral_value():
                return int(number)
    except ArithmeticError:
        # An exponent of more than 18 digits.
        mantissa, _, exponent = text.lower().partition("e")
        if not mantissa.strip("-0."):
            return 0
        if not exponent.startswith("-"):
            raise Problem("range", f"{_shown(text)} does not fit 64 bits") from None
    raise Problem("value", f"expected a whole number, got {_shown(text)}")


def _shown(text: str) -> str:
    return text if len(text) <= 40 else text[:30] + "…"


def integer_of(value: object, low: int, high: int, source: Source) -> int:
    """Reads a JSON number or quoted number as an integer between two bounds, exactly."""
    if type(value) is int:
        number = value
    elif isinstance(value, str):
        number = _integer_of_text(value)
    elif isinstance(value, ExactNumber):
        number = _integer_of_text(value.text)
    elif isinstance(value, float):
        if source.text is not None:
            raise ExactNeeded
        if not value.is_integer():
            raise Problem("value", f"expected a whole number, got {value}")
        number = int(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        number = int(value)
    elif isinstance(value, Decimal):
        number = _integer_of_text(str(value))
    else:
        raise wrong_type("whole number", value)
    if low <= number <= high:
        return number
    # Python refuses to write out integers of thousands of digits.
    shown = str(number) if number.bit_length() <= 128 else "the number"
    raise Problem("range", f"{shown} is outside of {low} to {high}")


def double_of(value: object, source: Source) -> float:
    """Reads a JSON number, quoted number or one of the three names as a double."""
    if type(value) is float:
        if value - value == 0.0:
            return value
        if source.text is None:
            reason = f'expected a finite number, got {value}; the JSON form is a name such as "NaN"'
            raise Problem("value", reason)
        raise Problem("range", "the number is too large for a double")
    if isinstance(value, Decimal):
        value = str(value)
    if isinstance(value, str):
        named = _names.get(value)
        if named is not None:
            return named
        if not _number(value):
            raise Problem("value", f"expected a number in JSON syntax, got {excerpt(value)}")
        number = float(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        if value == 0 and type(value) is int and source.may_hold_minus_zero():
            raise ExactNeeded
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
    else:
        raise wrong_type("number", value)
    if number - number != 0.0:
        raise Problem("range", "the number is too large for a double")
    return number


_float32 = struct.Struct("<f")


def float32_text(number: float) -> str:
    """Returns the wire text of the nearest float; too large a number is a problem."""
    try:
        return _float32.pack(number).decode("latin-1")
    except OverflowError:
        raise Problem("range", f"{number!r} is too large for a 32-bit float") from None


def struct_number(value: float | Decimal, source: Source, refuse_lossy: bool) -> float:
    """Reads a number inside a Struct, which holds doubles only.

    Args:
        value: An int, float or ExactNumber from the reader of the text, or a Decimal.
        source: The text that the number came from.
        refuse_lossy: Whether an integer that no double holds is a problem rather than rounded.
    """
    if isinstance(value, Decimal) and not value.is_finite():
        raise Problem("value", f"a Struct cannot hold {value} in JSON")
    number = double_of(value, source)
    if refuse_lossy and abs(number) >= EXACT_IN_DOUBLE:
        if type(value) is float and source.text is not None:
            raise ExactNeeded
        with localcontext(_EXACT):
            _check_exact(value, number)
    return number


def _check_exact(value: float | Decimal, number: float) -> None:
    exact = Decimal(value.text) if isinstance(value, ExactNumber) else Decimal(value)
    whole = exact == exact.to_integral_value()
    # 1e300 has no exact double either, but it is printed as 1e300 again.
    if whole and exact != Decimal(number) and exact != Decimal(repr(number)):
        shown = _shown(str(exact))
        reason = f"a Struct holds doubles, and {shown} would be rounded to {number!r}"
        raise Problem("range", reason)


def number_value(number: float) -> float | int | str:
    """Returns the JSON value of a double: whole ones without a fraction, names for NaN and inf."""
    if number - number != 0.0:
        return "NaN" if number != number else "Infinity" if number > 0 else "-Infinity"
    # From 1e16 on a double's shortest text has an exponent; -0.0 must keep its sign.
    if number.is_integer() and -1e16 < number < 1e16 and (number or math.copysign(1, number) > 0):
        return int(number)
    return number


_SMALLEST_NORMAL = 2.0**-126
_BEYOND_FLOAT32 = 3.4028235677973366e38  # rounded to 32 bits, it is infinite


def float32_value(number: float) -> float | int | str:
    """Returns a 32-bit float's JSON value: the fewest digits that read back as the same float."""
    if number - number == 0.0:
        # Every normal float has six digits to itself; subnormal ones have fewer.
        number = _shortest_float32(number, 6 if abs(number) >= _SMALLEST_NORMAL else 1)
    return number_value(number)


def named_double(number: float) -> float | str:
    """Returns the JSON value of a double as ``json_format`` has it: a float, or a name."""
    if number - number == 0.0:
        return number
    return "NaN" if number != number else "Infinity" if number > 0 else "-Infinity"


def named_float32(number: float) -> float | str:
    """Returns a 32-bit float's JSON value as ``json_format`` has it.

    It has the fewest digits that read back as the same float, but at least six.
    """
    return _shortest_float32(number, 6) if number - number == 0.0 else named_double(number)


def rounded_double(number: float, *, digits: int) -> float | str:
    """Returns a number's JSON value as ``json_format`` has it, rounded to significant digits."""
    return float(f"{number:.{digits}g}") if number - number == 0.0 else named_double(number)


def _shortest_float32(number: float, min_digits: int) -> float:
    """Returns the double of the fewest digits, from `min_digits` on, that reads back as a float."""
    packed = _float32.pack(number)
    for digits in range(min_digits, 9):
        short = float(f"{number:.{digits}g}")
        # Rounding the largest float to six digits goes past what 32 bits hold.
        if abs(short) < _BEYOND_FLOAT32 and _float32.pack(short) == packed:
            return short
    return float(f"{number:.9g}")


def integer_or_text(number: int) -> int | str:
    """Returns the JSON value of a 64-bit integer, as a number where a double holds it exactly."""
    return number if float(number) == number else str(number)
