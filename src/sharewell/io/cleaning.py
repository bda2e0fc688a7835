"""Cleaning of one column, as a policy asks for it: what is written in many ways becomes one, and every step is counted.

Steps run in this order, whatever the order in which they are written:

1. split: a cell of several values becomes a list of them, and the steps below work on each;
2. trim: blanks at both ends go, also those that do not break or have no width;
3. case: upper, lower or title;
4. recode: texts that stand for others are replaced; all others stay;
5. one of zip5, date, number: the text is read, blanks at its ends aside, and written in one form.

What the last step cannot read is counted, and refused by whoever reads the source unless the column says
`unreadable: missing`. A date that two listed forms read as different days is ambiguous: it is counted apart, and
refused unless `day_first` decides. A cell that becomes empty is missing.

Each step looks at every distinct text once, however many rows have it.

>>> import pyarrow as pa
>>> sex = Cleaning(trim=True, case="upper", recode={"FEMALE": "F", "MALE": "M"})
>>> cleaned, account = sex.apply(pa.chunked_array([["f", "Female ", "M", None, "m"]]))
>>> cleaned.to_pylist()
['F', 'F', 'M', None, 'M']
>>> [(step.name, step.changed) for step in account.steps]
[('trim', 1), ('case', 3), ('recode', 1)]
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Literal

from sharewell.errors import DataError
from sharewell.io.cleaning_account import Account, StepAccount
from sharewell.io.date_forms import DateForm
from sharewell.io.number_forms import NumberForm

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

Case = Literal["upper", "lower", "title"]
BLANKS = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\u180e\u200b\u200c\u200d\u2060\ufeff"
)
"""White space of every kind, and characters without width."""
_ZIP = "^([0-9]{5})([- ]?[0-9]{4})?$"
_SHORT_ZIP = "^([0-9]{3,4})([- ]?[0-9]{4})?$"
"""A postcode that a spreadsheet took for a number: its leading zeros are lost."""
_ZIP_DIGITS = 5
_UNREAD = {
    "date": "are not dates of the listed forms",
    "number": "are not numbers of this form",
    "zip5": "are no postcodes of five digits, with or without four more",
}
_ADVICE = {
    "date": "list their form under `date`, recode them",
    "number": "say which `decimal`, `thousands` and `unit` they have, recode them",
    "zip5": "say `zip5: {pad: true}` if leading zeros were lost, recode them",
}


@dataclass(frozen=True)
class Cleaning:
    """How one column is cleaned."""

    trim: bool = False
    case: Case | None = None
    recode: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Text to text; an empty one means that there is no value."""
    date: tuple[str, ...] = ()
    """Forms of dates, in the order in which they are tried."""
    day_first: bool | None = None
    """Which order of day and month decides where two forms fit."""
    first_year: int | None = None
    """The first of the hundred years that years of two digits stand for."""
    time: Literal["keep", "drop"] = "keep"
    """What becomes of the time of day in a date."""
    number: NumberForm | None = None
    zip5: bool = False
    pad: bool = False
    """May a postcode have lost its leading zeros?"""
    split: str | None = None
    unreadable: Literal["refuse", "missing"] = "refuse"

    def apply(self, column: pa.ChunkedArray, missing: Sequence[str] = ()) -> tuple[pa.ChunkedArray, Account]:
        """The cleaned column, in which what could not be read is missing, and the account of every step.

        missing: texts that mean "no value" once blanks are trimmed.
        """
        import pyarrow as pa

        if self._has_type(column.type):
            nothing = tuple(StepAccount(name) for name in self.steps)
            return self._timeless(column), Account(len(column) - column.null_count, nothing)
        encoded = as_texts(column).dictionary_encode().unify_dictionaries()
        distinct = encoded.chunk(0).dictionary if encoded.num_chunks else pa.array([], pa.string())
        cells = _Cells(distinct, _occurrences(encoded, distinct))
        if self.split is not None:
            cells.split(self.split)
        for name, made in self._made(cells, missing):
            cells.replace(name, made)
        cleaned = cells.cleaned()
        chunks = [cleaned.take(chunk.indices) for chunk in encoded.chunks]
        return pa.chunked_array(chunks, cleaned.type), Account(int(cells.counts.sum()), tuple(cells.steps))

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps by name, in the order in which they run."""
        asked = {
            "split": self.split is not None,
            "trim": self.trim,
            "case": self.case is not None,
            "recode": bool(self.recode),
            "zip5": self.zip5,
            "date": bool(self.date),
            "number": self.number is not None,
        }
        return tuple(name for name, is_asked in asked.items() if is_asked)

    def columns(self, name: str) -> tuple[str, ...]:
        """The columns that are read for the one of this name."""
        return (name,)

    def problem(self, account: Account) -> str | None:
        """Why a column with this account may not be read on: what is wrong, how often, and what to do."""
        if account.ambiguous:
            what = f"{account.ambiguous} of {account.cells} cell(s) are different dates in two of the listed forms"
            if self.day_first is None:
                return f"{what} — say `day_first: true` or `day_first: false`"
            return f"{what}, and day_first does not decide — take out one of the forms"
        if account.unread and self.unreadable == "refuse":
            step = next(step.name for step in account.steps if step.unread)
            what = f"{account.unread} of {account.cells} cell(s) {_UNREAD[step]}"
            return f"{what} — {_ADVICE[step]}, list words for no value under `missing`, or say `unreadable: missing`"
        return None

    def date_forms(self) -> tuple[DateForm, ...]:
        return tuple(DateForm(form, self.first_year, self.time == "keep") for form in self.date)

    def _made(self, cells: _Cells, missing: Sequence[str]) -> Iterator[tuple[str, _Made]]:
        """What each step makes of the texts that the one before it left."""
        if self.trim:
            yield "trim", _trimmed(cells.texts, missing)
        if self.case is not None:
            yield "case", _cased(cells.texts, self.case)
        if self.recode:
            yield "recode", _recoded(cells.texts, self.recode)
        if self.zip5:
            yield "zip5", _zip5(bare(cells.texts), self.pad)
        if self.date:
            yield "date", _dates(bare(cells.texts), self.date_forms(), self.day_first)
        if self.number is not None:
            yield "number", _all_read(bare(cells.texts), self.number.read(bare(cells.texts)))

    def _has_type(self, kind: pa.DataType) -> bool:
        """Does the file itself say that these are dates or numbers? Then there is nothing to read."""
        import pyarrow as pa

        if self.recode or self.split is not None or self.zip5:
            return False
        number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
        date = pa.types.is_date(kind) or pa.types.is_timestamp(kind)
        return bool(date and not self.number) or bool(number and not self.date)

    def _timeless(self, column: pa.ChunkedArray) -> pa.ChunkedArray:
        import pyarrow as pa
        import pyarrow.compute as pc

        if self.time == "keep" or not pa.types.is_timestamp(column.type):
            return column
        local = column if column.type.tz is None else pc.local_timestamp(column)
        return local.cast(pa.date32(), safe=False)


def cleaning_digest(clean: Mapping[str, Cleaning]) -> str:
    """One hash of all that is said about the columns of a source; empty where nothing is."""
    if not clean:
        return ""
    plain = json.dumps({name: _as_said(one) for name, one in clean.items()}, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()


def _as_said(cleaning: Cleaning) -> dict[str, object]:
    """Its fields; a unit only where there is one, so that hashes of releases from before units stay true."""
    plain = asdict(cleaning)
    if (share := plain.get("doubtful")) is not None:  # of a person that is joined of other columns
        plain["doubtful"] = str(share)
    if cleaning.number is not None and cleaning.number.unit is None:
        del plain["number"]["unit"]
    return plain


def in_case(text: str, case: Case) -> str:
    """One text as the step `case` leaves it."""
    import pyarrow as pa

    written: str = _cased(pa.array([text]), case).texts[0].as_py()
    return written


@dataclass(frozen=True)
class _Made:
    """What a step makes of texts. Where one could not be read, or is ambiguous, it is null."""

    texts: pa.Array
    unread: NDArray[np.bool_] | None = None
    ambiguous: NDArray[np.bool_] | None = None


class _Cells:
    """The distinct cells of a column, how often each occurs, and what the steps so far made of them."""

    def __init__(self, distinct: pa.Array, counts: NDArray[np.int64]) -> None:
        self.texts, self.counts = distinct, counts
        self.cell_of: NDArray[np.int64] | None = None
        """Of cells that were split: which cell each text comes from."""
        self.steps: list[StepAccount] = []

    def split(self, separator: str) -> None:
        import numpy as np
        import pyarrow.compute as pc

        lists = pc.split_pattern(self.texts, separator)
        parts, cell_of = bare(pc.list_flatten(lists)), pc.list_parent_indices(lists)
        kept = pc.fill_null(pc.not_equal(parts, ""), False)
        self.texts = parts.filter(kept)
        self.cell_of = cell_of.filter(kept).to_numpy(zero_copy_only=False).astype(np.int64)
        several = np.bincount(self.cell_of, minlength=len(self.counts)) > 1
        self.steps.append(StepAccount("split", int(self.counts[several].sum())))

    def replace(self, name: str, made: _Made) -> None:
        """Take over what a step made, and count it."""
        import numpy as np
        import pyarrow.compute as pc

        nowhere = np.zeros(len(self.texts), dtype=bool)
        unread = nowhere if made.unread is None else made.unread
        ambiguous = nowhere if made.ambiguous is None else made.ambiguous
        same = pc.fill_null(pc.equal(made.texts, self.texts), pc.and_(made.texts.is_null(), self.texts.is_null()))
        changed = ~same.to_numpy(zero_copy_only=False) & ~unread & ~ambiguous
        self.steps.append(StepAccount(name, *map(self._cells, (changed, unread, ambiguous))))
        self.texts = made.texts

    def cleaned(self) -> pa.Array:
        """One value a distinct cell: a text, or a list of texts; an empty one is missing."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        texts = pc.if_else(pc.equal(self.texts, ""), pa.scalar(None, pa.string()), self.texts)
        if self.cell_of is None:
            return texts
        there = texts.is_valid()
        sizes = np.bincount(self.cell_of[there.to_numpy(zero_copy_only=False)], minlength=len(self.counts))
        ends = np.append(0, np.cumsum(sizes)).astype(np.int32)
        return pa.ListArray.from_arrays(pa.array(ends), texts.filter(there), mask=pa.array(sizes == 0))

    def _cells(self, where: NDArray[np.bool_]) -> int:
        """How many cells of the column such texts stand in."""
        import numpy as np

        if self.cell_of is None:
            return int(self.counts[where].sum())
        return int(self.counts[np.unique(self.cell_of[where])].sum())


def as_texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        raise DataError(f"of type {kind}, which holds no text to clean — take it out of `clean:`")
    if pa.types.is_floating(kind):
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, kind), column)
    return column if pa.types.is_string(kind) else column.cast(pa.string())


def _occurrences(encoded: pa.ChunkedArray, distinct: pa.Array) -> NDArray[np.int64]:
    """How many cells hold each text; empty ones hold nothing."""
    import numpy as np
    import pyarrow.compute as pc

    counts = np.zeros(len(distinct), dtype=np.int64)
    for chunk in encoded.chunks:
        counts += np.bincount(chunk.indices.drop_null().to_numpy(zero_copy_only=False), minlength=len(distinct))
    counts[pc.equal(distinct, "").to_numpy(zero_copy_only=False)] = 0
    return counts


def bare(texts: pa.Array) -> pa.Array:
    import pyarrow.compute as pc

    return pc.utf8_trim(texts, BLANKS)


def _trimmed(texts: pa.Array, missing: Sequence[str]) -> _Made:
    """A "no value" text with blanks around it is one as well."""
    import pyarrow as pa
    import pyarrow.compute as pc

    trimmed = bare(texts)
    empty = pc.is_in(trimmed, pa.array(["", *missing], pa.string()))
    return _Made(pc.if_else(empty, pa.scalar(None, pa.string()), trimmed))


def _cased(texts: pa.Array, case: Case) -> _Made:
    import pyarrow.compute as pc

    return _Made({"upper": pc.utf8_upper, "lower": pc.utf8_lower, "title": pc.utf8_title}[case](texts))


def _recoded(texts: pa.Array, recode: Mapping[str, str]) -> _Made:
    import pyarrow as pa
    import pyarrow.compute as pc

    place = pc.index_in(texts, pa.array(recode, pa.string()))
    made = pa.array([to or None for to in recode.values()], pa.string()).take(place)
    return _Made(pc.if_else(place.is_valid(), made, texts))


def _all_read(texts: pa.Array, read: pa.Array) -> _Made:
    """What could not be read is what was there and is not any more."""
    import pyarrow.compute as pc

    there = pc.fill_null(pc.not_equal(texts, ""), False)
    return _Made(read, pc.and_(there, read.is_null()).to_numpy(zero_copy_only=False))


def _zip5(texts: pa.Array, pad: bool) -> _Made:
    import pyarrow.compute as pc

    zips = pc.replace_substring_regex(texts, _ZIP, r"\1")
    if pad:
        short = pc.match_substring_regex(texts, _SHORT_ZIP)
        padded = pc.utf8_lpad(pc.replace_substring_regex(texts, _SHORT_ZIP, r"\1"), _ZIP_DIGITS, "0")
        zips = pc.if_else(short, padded, zips)
    fits = pc.match_substring_regex(zips, f"^[0-9]{{{_ZIP_DIGITS}}}$")
    return _all_read(texts, pc.if_else(fits, zips, None))


def _dates(texts: pa.Array, forms: Sequence[DateForm], day_first: bool | None) -> _Made:
    """Each text by the forms that read it. Where these disagree, those decide that have the order of `day_first`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    readings = [form.read(texts) for form in forms]
    date, disagree = _agreed(readings)
    if day_first is not None and pc.any(disagree).as_py():
        deciding = [reading for form, reading in zip(forms, readings, strict=True) if form.day_first is day_first]
        if deciding:
            decided, still = _agreed(deciding)
            settled = pc.and_(decided.is_valid(), pc.invert(still))
            date = pc.if_else(pc.and_(disagree, settled), decided, date)
            disagree = pc.and_(disagree, pc.invert(settled))
    made = _all_read(texts, date)
    nothing = pa.scalar(None, pa.string())
    return _Made(pc.if_else(disagree, nothing, date), made.unread, disagree.to_numpy(zero_copy_only=False))


def _agreed(readings: Sequence[pa.Array]) -> tuple[pa.Array, pa.Array]:
    """The first reading of each text, and whether another one differs."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    first = pc.coalesce(*readings)
    disagree = pa.array(np.zeros(len(first), dtype=bool))
    for reading in readings:
        disagree = pc.or_(disagree, pc.fill_null(pc.not_equal(reading, first), False))
    return first, disagree
