"""A column as integer codes: what every table algorithm works on.

Codes number the distinct values in the column's own order: numbers and dates along the line, trees in leaf order, other
categories by text. A missing value is a value of its own and always has the last code. Unless the steward says
otherwise (`sharewell.styles`), what is ordered is published as a range, what has a tree as the lowest common ancestor,
and anything else as a set.

In a sensitive column values that mean the same have one code, also in text: `1`, `1.0` and `1e0` are one number, `HIV`
and `hiv ` one disease (`sharewell.spelling`), and a class that holds them is not diverse. They are published as they
were written. A tree of codes tells its leaves apart by more than their looks: `250.0` and `250.00` may be two diseases.
Names of persons that look alike have one code, too.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.cells import Cell, Exact, parse
from sharewell.date_shift import DATE_FORMATS, date_pattern, day_of
from sharewell.errors import DataError, PolicyError
from sharewell.hierarchy.intervals import Intervals
from sharewell.hierarchy.levels import Flat, Hierarchy, Levels
from sharewell.roles import Role
from sharewell.spelling import fold, folded, folds_of, one_each
from sharewell.styles import ALONG_A_LINE, Style
from sharewell.tables.engine.drawn_values import DrawnValues
from sharewell.text_order import distinct_in_order, hardly_repeats

Kind = Literal["number", "date", "text", "cells"]
ArrowColumn: TypeAlias = pa.Array | pa.ChunkedArray
Numbers = NDArray[Any]
"""Whole numbers of 64 bits, Python's own where these are too short, or decimals: numpy has no name for all three."""
Codes = NDArray[np.int32]

_CANONICAL = r"^((0|-?[1-9][0-9]*)(\.[0-9]+)?|-0\.[0-9]*[1-9][0-9]*)$"
"""No leading zeros, no exponent, no plus, no minus zero: whoever writes otherwise may mean a code."""
_NUMBER = r"^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$"
"""What the policy may declare a number."""
_COUNTED_BY_LOOKS = (Role.SUBJECT, Role.SENSITIVE)
"""Roles of columns in which spellings that look alike count as one."""
_LONGEST_NUMBER = 40
"""Characters; what is longer is a code of digits."""
_MOST_BYTES = 1 << 31
"""What one array of strings can hold."""
_PIECE = 1 << 20
"""Rows of a longer column that become strings at a time."""


@dataclass(frozen=True, eq=False)
class Column:
    """One column: `codes[row]` numbers into `values`."""

    name: str
    role: Role
    kind: Kind
    codes: Codes
    values: pa.Array
    """pyarrow strings, in code order; the missing value, if any, is last and empty."""
    has_missing: bool
    numbers: NDArray[np.float64] | None = None
    """Where each value lies on the line (a date's day number); None for categories."""
    levels: Levels | None = None
    hierarchy: Hierarchy | None = None
    date_format: str | None = None
    asked: Style | None = None
    """The style the steward asked for, or that these cells have; None for the one that comes by itself."""
    alike: int = 0
    """How many spellings look like another one, and count as one with it."""
    unseen: bool = False
    """Are there values that count as missing because they hold nothing but invisible characters?"""
    drawn: DrawnValues | None = None
    """How the values of a release were drawn, if they were."""

    @property
    def size(self) -> int:
        """How many distinct values, a missing one included."""
        return len(self.values)

    @property
    def known(self) -> int:
        """How many distinct values, without a missing one: codes below this stand for something."""
        return self.size - self.has_missing

    @property
    def span(self) -> float:
        """From the least number or day to the greatest; 0 where there is none."""
        return float(self.numbers[self.known - 1] - self.numbers[0]) if self.numbers is not None and self.known else 0.0

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return tuple(self.values.to_pylist())

    def spelt(self, code: int, level: int = 0) -> str:
        """A value as a hierarchy spells it, where there is one, or its label at a higher level."""
        if self.levels is None or code >= self.known:
            return self.texts[code]
        return str(self.levels.labels[self.levels.nodes[level, code]])

    def codes_of(self, value: str) -> list[int]:
        """The codes of the values that mean what somebody else wrote: 1.0 is the number 1, and hiv is HIV.

        Of text too: published files do not say that a column holds numbers.
        """
        return self._by_meaning.get(self._meaning(value, self.date_format), [])

    @cached_property
    def _by_meaning(self) -> dict[Hashable, list[int]]:
        results: dict[Hashable, list[int]] = {}
        for code, text in enumerate(self.texts):
            results.setdefault(self._meaning(text), []).append(code)
        return results

    def _meaning(self, text: str, form: str | None = None) -> Hashable:
        """Equal for texts that say the same in a column of this kind."""
        if self.kind != "date":
            return meaning(text)
        days = (day_of(text.strip(), one) for one in (DATE_FORMATS[0], form) if one)
        return next((day for day in days if day is not None), text)

    @property
    def style(self) -> Literal["range", "node", "set"]:
        """How a class is published by itself, and how mechanisms measure what that loses."""
        if self.levels is not None:
            return "node"
        return "range" if self.numbers is not None else "set"

    @property
    def published_as(self) -> Style:
        """How a class is published."""
        return self.asked or Style(self.style)

    @property
    def shows_means(self) -> bool:
        """Are these cells means? Then nobody can tell whom they cover."""
        return self.kind == "cells" and self.asked is not None and self.asked.name == "mean"

    def styled(self, style: Style) -> Column:
        """The same column, to be published in a style that it can have."""
        name, place = style.name, f"columns.{self.name}"
        if self.kind != "cells":
            if name in ALONG_A_LINE and self.levels is not None:
                hint = "take the hierarchy out, or choose node, common or set"
                raise PolicyError(f"{place} — style {name} is for columns without a hierarchy — {hint}")
            if name in ALONG_A_LINE and self.numbers is None:
                hint = "choose common or set, or say `type: number`"
                raise PolicyError(f"{place} — style {name} needs numbers or dates, but it is read as text — {hint}")
            if name == "node" and self.levels is None:
                raise PolicyError(f"{place} — style node needs a hierarchy — give it one, or choose common or set")
            if style.decimals and self.kind == "date":
                raise PolicyError(f"{place} — a mean date has no decimals — say `style: mean`")
        return replace(self, asked=style)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """What each value says: published cells are parsed, original values mean themselves, however they look."""
        if self.kind != "cells":
            return tuple(Exact(text) for text in self.texts)
        return tuple(parse(text, nodes=self.hierarchy is not None, means=self.shows_means) for text in self.texts)

    @property
    def arrow(self) -> ArrowColumn:
        """The column as Arrow strings; missing values are null."""
        texts, codes = self.shown_texts, pa.array(self.codes)
        if len(codes) * (pc.max(pc.binary_length(texts)).as_py() or 0) < _MOST_BYTES:
            return texts.take(codes)
        return pa.chunked_array([texts.take(codes.slice(begin, _PIECE)) for begin in range(0, len(codes), _PIECE)])

    @property
    def shown_texts(self) -> pa.Array:
        """The values as they are published: a missing one is null."""
        return pa.concat_arrays([self.values[:-1], pa.nulls(1, pa.string())]) if self.has_missing else self.values

    def take(self, rows: NDArray[np.intp]) -> Column:
        """The same column for other rows."""
        return replace(self, codes=self.codes.take(rows))

    def range_loss(self, low: NDArray[np.integer], high: NDArray[np.integer]) -> NDArray[np.float64]:
        """The normalised certainty penalty of publishing the runs of codes [low, high]; for sets an upper bound."""
        if self.levels is not None:
            return self.tree.loss(self.tree.lowest_common(low, high))
        if self.numbers is None:
            return (high - low) / max(1, self.size - 1)
        known, span = self.known, self.span or 1.0
        if not self.has_missing:
            return np.asarray((self.numbers[high] - self.numbers[low]) / span)
        line = np.append(self.numbers[:known], 0.0)
        loss = (line[np.minimum(high, known)] - line[np.minimum(low, known)]) / span
        mixed = (high >= known) & (low < high)
        return np.where(mixed, 1.0, np.where(low == high, 0.0, loss))

    @cached_property
    def tree(self) -> Levels:
        """The levels with a place for the missing value: apart from the tree, under one common top."""
        assert self.levels is not None
        if not self.has_missing:
            return self.levels
        levels, extra = self.levels, len(self.levels.labels)
        nodes = np.hstack([levels.nodes, np.full((levels.height + 1, 1), extra, dtype=np.int32)])
        nodes = np.vstack([nodes, np.full((1, nodes.shape[1]), extra + 1, dtype=np.int32)])
        leaves = np.append(levels.leaves, [1, levels.domain + 1])
        return Levels((*levels.values, ""), nodes, (*levels.labels, "", "*"), leaves, levels.unknown)


def as_shown(column: Column, texts: Sequence[str], codes: NDArray[np.integer]) -> Column:
    """The column as it is published: row i shows the cell texts[codes[i]]; an empty text is a missing value."""
    order = sorted(set(texts) - {""})
    number = {text: i for i, text in enumerate([*order, ""])}
    values = pa.array([*order, ""] if "" in texts else order, pa.string())
    published = np.array([number[text] for text in texts], dtype=np.int32)[codes]
    shown = Column(column.name, column.role, "cells", published, values, has_missing="" in texts)
    return replace(shown, hierarchy=column.hierarchy, asked=column.asked)


def value_numbers(column: ArrowColumn) -> NDArray[np.int64]:
    """A number for each distinct value of an Arrow column, −1 where there is none."""
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    numbers: NDArray[np.int64] = pc.fill_null(pc.dictionary_encode(whole).indices, -1).to_numpy(zero_copy_only=False)
    return numbers.astype(np.int64)


def meaning(text: str) -> Hashable:
    """Equal for numbers of one value, and for other texts that look alike.

    >>> meaning("1.0") == meaning("1e0 "), meaning("True") == meaning("TRUE"), meaning("a") == meaning("b")
    (True, True, False)
    """
    plain = fold(text)
    number = number_of(plain) if len(plain) <= _LONGEST_NUMBER else None
    return plain if number is None else number


def number_of(plain: str) -> Decimal | None:
    """The number that a folded text writes, with leading zeros, a plus, an exponent or digits of any script; or None.

    >>> number_of("+01"), number_of("50e-1"), number_of("٥"), number_of("5 mg")
    (Decimal('1'), Decimal('5.0'), Decimal('5'), None)
    """
    if not plain.isascii():
        plain = "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in plain)
    if re.match(_NUMBER, plain):
        with suppress(InvalidOperation):  # an exponent beyond all numbers
            return Decimal(plain)
    return None


def encode(
    name: str,
    role: Role,
    array: ArrowColumn,
    *,
    hierarchy: Hierarchy | None = None,
    kind: Kind | None = None,
    date_format: str | None = None,
) -> Column:
    """Factorise a column and put its values in order. O(n + d log d) for n rows and d distinct values."""
    texts, declared = _as_text(name, array)
    distinct, indices = _factorised(texts)
    wanted = kind or declared
    looks = folds_of(distinct) if role in _COUNTED_BY_LOOKS and wanted != "cells" else None
    blank = _is_blank(distinct)
    unseen = looks is not None and bool((_is_blank(looks) & ~blank).any())
    blank = _is_blank(looks) if unseen else blank
    there = pa.array(~blank) if blank.any() else None
    plain = distinct if there is None else distinct.filter(there)
    looks = looks if looks is None or there is None else looks.filter(there)
    if wanted is None:
        wanted, date_format = infer(plain) if hierarchy is None else ("text", None)
    alike = 0 if looks is None else len(looks) - len(looks.unique())
    place = None
    if role is Role.SENSITIVE and wanted != "cells" and (hierarchy is None or isinstance(hierarchy, Intervals | Flat)):
        plain, place = one_spelling(plain, looks)
    elif alike:
        plain, place = one_each(plain, looks)
    ordered, rank, numbers, levels, date_format = _in_order(name, plain, wanted, hierarchy, date_format)
    rank = rank if place is None else rank[place]
    missing_code = len(ordered)
    table = np.full(len(distinct) + 1, missing_code, dtype=np.int32)
    table[:-1][~blank] = rank
    codes = table.take(indices)
    has_missing = bool(len(codes) and (codes == missing_code).any())
    if has_missing:
        ordered = pa.concat_arrays([ordered, pa.array([""], pa.string())])
        numbers = None if numbers is None else np.append(numbers, np.nan)
    return Column(
        name, role, wanted, codes, ordered, has_missing, numbers, levels, hierarchy, date_format, None, alike, unseen
    )


def _is_blank(texts: pa.Array) -> NDArray[np.bool_]:
    return np.asarray(pc.equal(pc.utf8_trim_whitespace(texts), "").to_numpy(zero_copy_only=False), dtype=bool)


def one_spelling(values: pa.Array, looks: pa.Array | None) -> tuple[pa.Array, NDArray[np.int64] | None]:
    """The plainest spelling of each value, and for every given one its place there; None if nothing changes.

    looks: what is left of each value by `sharewell.spelling`; None where no two are alike. Of these, only numbers that
    are one floating-point number can be equal: others are not looked at.
    """
    if looks is None and not pc.all(pc.string_is_ascii(values), min_count=0).as_py():
        looks = folded(values)  # digits and signs of other forms make numbers too
    group = np.arange(len(values))
    if looks is not None:
        group = looks.dictionary_encode().indices.to_numpy(zero_copy_only=False).astype(np.int64)
    looks = values if looks is None else looks
    number = np.flatnonzero(pc.match_substring_regex(looks, _NUMBER).to_numpy(zero_copy_only=False))
    line = pc.cast(looks.take(pa.array(number)), pa.float64()).to_numpy(zero_copy_only=False)
    distinct, at, times = np.unique(line, return_inverse=True, return_counts=True)
    if len(distinct) < len(line):
        equal, first = number[times[at] > 1], dict[Hashable, int]()
        for i, text in zip(equal.tolist(), looks.take(pa.array(equal)).to_pylist(), strict=True):
            group[i] = first.setdefault(meaning(text), int(group[i]))
    _, group, times = np.unique(group, return_inverse=True, return_counts=True)
    if len(times) == len(values):
        return values, None
    several = np.flatnonzero(times[group] > 1)
    stands = np.empty(len(times), dtype=np.int64)
    stands[group] = np.arange(len(values))
    texts = values.take(pa.array(several)).to_pylist()
    plainness = [(not re.match(_CANONICAL, text), len(text), text) for text in texts]
    for _, i in sorted(zip(plainness, several.tolist(), strict=True), reverse=True):
        stands[group[i]] = i
    kept = np.sort(stands)
    return values.take(pa.array(kept)), np.searchsorted(kept, stands)[group]


def _factorised(texts: ArrowColumn) -> tuple[pa.Array, NDArray[np.int64]]:
    """The distinct values that occur, as strings, and the number of each row's; missing ones get the one after."""
    texts = texts if isinstance(texts, pa.ChunkedArray) else pa.chunked_array([texts])
    listed = pa.types.is_dictionary(texts.type)
    if hardly_repeats(texts):
        return distinct_in_order(texts.combine_chunks())
    if not listed:
        texts = pc.dictionary_encode(texts, null_encoding="mask")
    if listed or not all(chunk.dictionary.equals(texts.chunk(0).dictionary) for chunk in texts.chunks[1:]):
        texts = texts.unify_dictionaries()  # reads every dictionary anew, so not where all chunks share one
    texts = texts.chunk(0) if texts.num_chunks == 1 else texts.combine_chunks()
    encoded = texts if isinstance(texts, pa.DictionaryArray) else pa.array([], pa.string()).dictionary_encode()
    values = encoded.dictionary.cast(pa.string())
    numbers = encoded.indices.fill_null(len(values)) if encoded.null_count else encoded.indices
    indices = numbers.to_numpy(zero_copy_only=False).astype(np.int64)
    if not listed:
        return values, indices
    distinct = pc.unique(values).drop_null()
    occurs = np.bincount(indices, minlength=len(values))[: len(values)] > 0
    if len(distinct) == len(values) and occurs.all():
        return distinct, indices
    # A dictionary may list values that no row has, and one value twice: neither must count.
    distinct = pc.unique(values.filter(pa.array(occurs))).drop_null()
    place = pc.index_in(values, distinct).fill_null(len(distinct)).to_numpy(zero_copy_only=False)
    return distinct, np.append(place, len(distinct)).astype(np.int64)[indices]


def infer(distinct: pa.Array) -> tuple[Kind, str | None]:
    """Numbers only if every value is canonical (no leading zeros); dates only if all parse in exactly one way."""
    if not len(distinct) or not re.match("[-0-9]", distinct[0].as_py()):  # as every number and date does
        return "text", None
    short = pc.max(pc.binary_length(distinct)).as_py() <= _LONGEST_NUMBER
    if short and pc.all(pc.match_substring_regex(distinct, _CANONICAL)).as_py():
        return "number", None
    if not re.match("[0-9]", distinct[0].as_py()):
        return "text", None
    fitting = [form for form in DATE_FORMATS if _days(distinct, form) is not None]
    return ("date", fitting[0]) if len(fitting) == 1 else ("text", None)


def _as_text(name: str, array: ArrowColumn) -> tuple[ArrowColumn, Kind | None]:
    """A column as strings, or whole numbers that are yet to be, and the kind its type declares.

    NaN is missing, and zero has no sign.
    """
    if pa.types.is_dictionary(array.type):
        if pa.types.is_string(array.type.value_type):
            return array, None
        array = array.cast(array.type.value_type)
    kind = array.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return array, None
    if pa.types.is_string_view(kind):
        return array.cast(pa.string()), None
    if pa.types.is_integer(kind):
        return array, "number"
    if pa.types.is_floating(kind):
        array, kind = (array.cast(pa.float32()), pa.float32()) if pa.types.is_float16(kind) else (array, kind)
        array = pc.add(pc.if_else(pc.is_nan(array), None, array), pa.scalar(0, kind))
        if endless := pc.sum(pc.is_inf(array)).as_py():
            raise DataError(f"column {name} — {endless} infinite value(s) — correct them, or leave them out")
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return array.cast(pa.string()), "number"
    if pa.types.is_timestamp(kind) and (days := _whole_days(array)) is not None:
        return days.cast(pa.string()), "date"
    if pa.types.is_date(kind):
        return array.cast(pa.string()), "date"
    if pa.types.is_boolean(kind) or pa.types.is_timestamp(kind) or pa.types.is_null(kind) or pa.types.is_time(kind):
        return array.cast(pa.string()), "text"
    raise DataError(
        f"column {name} — of type {kind}, which cannot be quasi, sensitive or subject — turn it into text first"
    )


def _whole_days(array: ArrowColumn) -> ArrowColumn | None:
    """Instants as dates if there are any and all are midnights (a dataframe may know no other dates), else None."""
    local = pc.local_timestamp(array) if array.type.tz else array
    days = local.cast(pa.date32(), safe=False)
    return days if pc.all(pc.equal(days.cast(local.type), local), skip_nulls=True, min_count=1).as_py() else None


def _in_order(
    name: str, distinct: pa.Array, kind: Kind, hierarchy: Hierarchy | None, date_format: str | None
) -> tuple[pa.Array, Codes, NDArray[np.float64] | None, Levels | None, str | None]:
    """The distinct values in the column's order, the rank of each given one, and positions or levels."""
    if kind == "date":
        date_format = date_format or "%Y-%m-%d"
        days = _days(distinct, date_format)
        if days is None:
            bad = sum(day_of(text, date_format) is None for text in distinct.to_pylist())
            raise DataError(
                f"column {name} — {bad} of {len(distinct)} distinct value(s) are not dates of the form {date_format}"
                ' — set another form, such as `type: {date: "%d.%m.%Y"}`, or correct the data'
            )
        line, rank = np.unique(days, return_inverse=True)
        iso = [datetime.date.fromordinal(int(day)).isoformat() for day in line]
        if hierarchy is None:
            return pa.array(iso, pa.string()), rank.astype(np.int32), line.astype(np.float64), None, date_format
        distinct, outer = pa.array(iso, pa.string()), rank
    else:
        outer = np.arange(len(distinct))
    if hierarchy is not None:
        values = distinct.to_pylist()
        levels = _compile(name, hierarchy, values)
        where = {value: position for position, value in enumerate(levels.values)}
        rank = np.fromiter((where[value] for value in values), np.int32, len(values))
        return pa.array(levels.values, pa.string()), rank[outer].astype(np.int32), None, levels, date_format
    if kind == "number":
        numbers, order = _along_the_line(name, distinct)
    else:
        ascending = pc.all(pc.less(distinct[:-1], distinct[1:]), min_count=0).as_py()
        numbers, order = None, outer if ascending else pc.sort_indices(distinct).to_numpy().astype(np.int64)
    ranks = np.empty(len(order), np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return distinct.take(pa.array(order)), ranks, None if numbers is None else numbers[order], None, date_format


def _along_the_line(name: str, distinct: pa.Array) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Where each number lies, and their order: exact even where two of them are one floating-point number."""
    unfit = len(distinct) - (pc.sum(pc.match_substring_regex(distinct, _NUMBER)).as_py() or 0)
    if unfit:
        raise DataError(
            f"column {name} — {unfit} of {len(distinct)} distinct value(s) are not numbers"
            " — set `type: text`, or correct the data"
        )
    numbers: NDArray[np.float64] = pc.cast(distinct, pa.float64()).to_numpy(zero_copy_only=False)
    if endless := int(np.isinf(numbers).sum()):
        raise DataError(f"column {name} — {endless} number(s) too large to compare — correct them, or set `type: text`")
    by_text = np.argsort(pc.sort_indices(distinct).to_numpy(), kind="stable")
    order = np.lexsort((by_text, numbers))
    if (np.diff(numbers[order]) == 0).any():
        texts: Sequence[str] = distinct.to_pylist()
        order = np.array(sorted(range(len(texts)), key=lambda i: (Decimal(texts[i]), texts[i])), dtype=np.int64)
    return numbers, order


def _compile(name: str, hierarchy: Hierarchy, values: list[str]) -> Levels:
    try:
        return hierarchy.compile(values)
    except DataError as error:
        raise DataError(f"column {name} — {error}") from None


def _days(distinct: pa.Array, form: str) -> NDArray[np.int64] | None:
    """Day numbers of dates written in one form, or None if any value is not such a date."""
    if not pc.all(pc.match_substring_regex(distinct, f"^(?:{date_pattern(form)})$"), min_count=0).as_py():
        return None
    days = [day_of(text, form) for text in distinct.to_pylist()]
    return None if None in days else np.array(days, dtype=np.int64)
