"""What cells need before they can be read as what they are: words for "no value", dates in several forms, decimal
commas, postcodes of nine digits, one thing written in several ways.

Only counts and words that ship with sharewell leave this module, never a cell.

>>> import pyarrow as pa
>>> need = needed("seen", pa.array(["03.04.2020", "2020-05-06", "24/12/2020"]))
>>> need.cleaning.date, need.undecided
(('%Y-%m-%d', '%d.%m.%Y', '%d/%m/%Y'), 0)
>>> needed("weight", pa.array(["71,5", "80"])).cleaning.number.decimal
','
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.io.cleaning import BLANKS, Cleaning, bare
from sharewell.io.date_forms import DateForm
from sharewell.io.number_forms import unit_of, usual_forms
from sharewell.io.shipped import shipped_text
from sharewell.proposal.names import (
    Meaning,
    by_name,
    ends_as_key,
    is_event_key,
    is_person_key,
    is_technical_key,
    tokens,
)
from sharewell.proposal.singling_out import spread

_TABLE = tomllib.loads(shipped_text("untidy_values.toml"))
_ALWAYS, _OFTEN = frozenset(_TABLE["missing"]["always"]), frozenset(_TABLE["missing"]["often"])
SENTINELS: tuple[str, ...] = tuple(_TABLE["missing"]["numbers"])
_DAYS: tuple[str, ...] = tuple(_TABLE["dates"]["forms"])
_TIMES: tuple[str, ...] = tuple(_TABLE["dates"]["times"])
_OFFSETS = ("", "%z", " %z")
_EITHER_ORDER = re.compile(r"%d([/-])%m")
_MANY = 500
_SEX: Mapping[str, Mapping[str, str]] = {
    language: {word: letter for letter, words in letters.items() for word in words}
    for language, letters in _TABLE["sex"].items()
}
_LIKE_DATE = (
    r"^(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|(19|20)\d{6}$|"
    r"\d{1,2}[-. ]+[^\W\d_]{3,10}[-. ]+(\d{4}|\d{2}$)|[^\W\d_]{3,10} \d{1,2}, \d{4})"
)
_ISO = r"^\d{4}-\d{2}-\d{2}$"
_LIKE_NUMBER = r"^[-+−]?\d[\d.,'’\s]*$|^[-+]?[.,]\d+$"
_CANONICAL = r"^(-?(0|[1-9]\d*)(\.\d+)?)$"
_THREE_BEHIND_POINT = r"^-?[1-9]\d{0,2}\.\d{3}$"
_LEADING_ZERO = r"^[-+]?0\d"
_NINE_DIGITS = r"^\d{5}[- ]?\d{4}$"
_FIVE_DIGITS = r"^\d{5}([- ]?\d{4})?$"
_MOST = 0.8
"""This many values must be dates or numbers for the column to be one."""
_MOST_SPELLINGS = 500
_FEW = 200
_FAR = 3


@dataclass(frozen=True)
class Need:
    """How a column is to be cleaned, why, and what only a person can decide."""

    cleaning: Cleaning
    reasons: tuple[str, ...]
    undecided: int = 0
    """Dates that two forms read as different days."""
    unread: int = 0
    """Values that the cleaning does not read."""
    two_digits: int = 0
    """Dates whose year has two digits, which stand for no century."""
    of_several_kinds: bool = False
    """Whether too many cells are words for it to be read as dates or numbers."""

    @property
    def is_open(self) -> bool:
        """Whether other columns may tell what this one leaves open: the order of its dates, or its decimal sign."""
        return self.undecided > 0 or self.cleaning == Cleaning()


def missing_words(columns: Mapping[str, pa.Array]) -> tuple[str, ...]:
    """Words for "no value", as they are written in these columns of distinct texts."""
    often: dict[str, int] = {}
    strongly: set[str] = set()
    for values in columns.values():
        few = values.filter(pc.is_in(pc.utf8_lower(bare(values)), pa.array([*_ALWAYS, *_OFTEN])))
        words = [(text, text.strip(BLANKS).lower()) for text in few.to_pylist()]
        strongly |= {text for text, plain in words if plain in _ALWAYS}
        weak = [text for text, plain in words if plain in _OFTEN]
        telling = bool(weak) and _is_data(values)
        for text in weak:
            often[text] = often.get(text, 0) + (2 if telling else 1)
    return tuple(sorted({*strongly, *(text for text, count in often.items() if count > 1)}))


def _is_data(values: pa.Array) -> bool:
    """Whether most of the other values are dates or numbers or have a digit, as codes do."""
    return _share(values, r"\d") >= _MOST * (1 - 3 / max(len(values), 4))


def _share(values: pa.Array, pattern: str) -> float:
    """The share of values that a pattern finds: of a few, if these are clearly too few, else of all."""
    few = values.take(pa.array(spread(len(values), _FEW))).to_pylist()
    form = re.compile(pattern)
    share = sum(form.search(text) is not None for text in few) / max(len(few), 1)
    if len(values) <= _FEW or share < _MOST / 2:
        return share
    return sum(form.search(text) is not None for text in values.to_pylist()) / len(values)


def sentinel(values: pa.Array) -> str | None:
    """A number such as 9999 that stands far from all others, as a code for "no value" does."""
    texts = set(values.to_pylist())
    for word in SENTINELS:
        if word in texts and len(texts) > _FAR:
            numbers = [float(text) for text in texts if text != word and re.fullmatch(r"-?\d+(\.\d+)?", text)]
            number = float(word)
            apart = max(numbers, default=0) * _FAR < number if number > 0 else min(numbers, default=-1) >= 0
            if numbers and apart:
                return word
    return None


@dataclass(frozen=True)
class Stated:
    """What is known about the file: what the steward said, or what other columns show."""

    day_first: bool | None = None
    decimal: str | None = None


def needed(name: str, values: pa.Array, stated: Stated = Stated()) -> Need | None:  # noqa: B008 — it is frozen
    """What a column of distinct texts needs, or None."""
    if is_event_key(name) or is_person_key(name):  # dropped, or compared in whatever spelling
        return None
    values = values.filter(pc.not_equal(bare(values), "")) if len(values) else values
    if not len(values):
        return None
    meaning, plain = by_name(name), bare(values)
    blanks = int(pc.sum(pc.not_equal(plain, values)).as_py())
    plain = plain.unique()
    for rule in (_dates, _postcodes, _numbers, _sex, _spellings):
        if (need := rule(name, meaning, plain, stated)) is not None:
            return _with_trim(need, blanks)
    return _with_trim(Need(Cleaning(), ()), blanks) if blanks else None


def _with_trim(need: Need, blanks: int) -> Need:
    """Dates, numbers and postcodes are read without the blanks around them."""
    read = need.cleaning.date or need.cleaning.number or need.cleaning.zip5
    if not blanks or read:
        return need
    reason = f"{blanks} value(s) have spaces around them"
    return replace(need, cleaning=replace(need.cleaning, trim=True), reasons=(*need.reasons, reason))


def _dates(name: str, meaning: Meaning | None, values: pa.Array, stated: Stated) -> Need | None:
    if _share(values, _LIKE_DATE) < _MOST or _share(values, _ISO) == 1:
        return None
    if _share(values, r"^\d+$") > 1 - _MOST and meaning is None and ends_as_key(name):
        return None
    forms, fits = _forms_that_read(values)
    read = np.logical_or.reduce([fits[form] for form in forms], initial=False)
    if not forms or np.mean(read) < _MOST:
        return None
    listed, undecided, why = _decide_order(forms, fits, stated.day_first)
    if listed == ["%Y-%m-%d"]:
        return None
    unread = len(values) - int(read.sum())
    reasons = [f"dates in {len(listed)} formats" if len(listed) > 1 else "dates", *why]
    order = stated.day_first if undecided == 0 and len(listed) > len({_order_free(form) for form in listed}) else None
    short = [fits[form] for form in listed if "%y" in form]
    two_digits = int(np.logical_or.reduce(short).sum()) if short else 0
    reasons += [f"{two_digits} value(s) have years of two digits"] if two_digits else []
    return Need(Cleaning(date=tuple(listed), day_first=order), tuple(reasons), undecided, unread, two_digits)


Fits = dict[str, NDArray[np.bool_]]
ANY_CENTURY = 1930
"""To look at dates of two digits, before somebody says which years they are."""


def _form(form: str) -> DateForm:
    return DateForm(form, ANY_CENTURY if "%y" in form else None)


def _forms_that_read(values: pa.Array) -> tuple[list[str], Fits]:
    """Forms in their usual order, each of which reads something that no other one does; pairs as a whole.

    There are hundreds of forms with times of day: those that read none of some values that are left are not tried.
    """
    fits: Fits = {}
    reads: dict[tuple[str, ...], NDArray[np.bool_]] = {}
    covered = np.zeros(len(values), dtype=bool)
    groups = _groups(_share(values, r"\d:\d\d") > 0)
    while True:
        left = values.filter(pa.array(~covered))
        some = left.take(pa.array(spread(len(left), _MANY)))
        likely = [group for group in groups if group[0] not in fits and any(_reads(form, some).any() for form in group)]
        if not likely:
            break
        for group in likely:
            fits |= {form: _reads(form, values) for form in group}
            read = np.logical_or.reduce([fits[form] for form in group])
            if (read & ~covered).any():
                reads = {other: before for other, before in reads.items() if (before & ~read).any()}
                reads[group] = read
                covered |= read
    chosen = sorted(reads, key=groups.index)
    return [form for group in chosen for form in group if fits[form].any()], fits


def _reads(form: str, values: pa.Array) -> NDArray[np.bool_]:
    return _form(form).read(values).is_valid().to_numpy(zero_copy_only=False)  # type: ignore[no-any-return]


@cache
def _groups(timed: bool) -> tuple[tuple[str, ...], ...]:
    """Forms in their usual order; those that differ in the order of day and month alone stand together."""
    ends = [f"{glue}{time}{offset}" for glue in " T" for time in _TIMES for offset in _OFFSETS] if timed else []
    forms = [day + end for end in ("", *ends) for day in _DAYS]
    return tuple((form,) if (other := _month_first(form)) is None else (form, other) for form in forms)


def _month_first(form: str) -> str | None:
    """The same form with the month before the day, where values could be read either way."""
    return _EITHER_ORDER.sub(r"%m\1%d", form) if _EITHER_ORDER.match(form) else None


def _order_free(form: str) -> str:
    return re.sub("%[dm]", "%", form)


def _decide_order(forms: list[str], fits: Fits, day_first: bool | None) -> tuple[list[str], int, list[str]]:
    """Where forms differ in the order of day and month: the one that the values ask for, or both and how many fit."""
    listed, undecided, why = list(forms), 0, []
    for day, month in ((form, other) for form in forms if (other := _month_first(form)) in forms):
        only_day, only_month = int((fits[day] & ~fits[month]).sum()), int((fits[month] & ~fits[day]).sum())
        both = int((fits[day] & fits[month]).sum())
        if only_day and not only_month:
            listed.remove(month)
            why.append(f"day first: {only_day} value(s) allow no other order")
        elif only_month and not only_day:
            listed.remove(day)
            why.append(f"month first: {only_month} value(s) allow no other order")
        elif day_first is not None and not only_day and not only_month:
            listed.remove(month if day_first else day)
            why.append(f"{both} value(s) fit either order: they are read as stated, or like other columns")
        else:
            undecided += both
            why.append(f"{both} value(s) fit day/month and month/day")
    return listed, undecided, why


def order_of(needs: Sequence[Need]) -> bool | None:
    """Whether the day stands first, if the columns that tell agree on it."""
    orders = set()
    for need in needs:
        listed = [form for form in need.cleaning.date if _order_free(form)[:4] in ("%/%/", "%-%-")]
        if need.undecided == 0 and len(listed) == 1:
            orders.add(_form(listed[0]).day_first)
    return orders.pop() if len(orders) == 1 else None


def decimal_of(needs: Sequence[Need]) -> str | None:
    """The sign before decimals, if the columns that are read as numbers agree on it."""
    signs = {need.cleaning.number.decimal for need in needs if need.cleaning.number is not None}
    return signs.pop() if len(signs) == 1 else None


def _postcodes(name: str, meaning: Meaning | None, values: pa.Array, stated: Stated) -> Need | None:
    if meaning is None or meaning.topic != "postal":
        return None
    longer = sum(re.search(_NINE_DIGITS, text) is not None for text in values.to_pylist())
    if not longer or _share(values, _FIVE_DIGITS) < 1:
        return None
    return Need(Cleaning(zip5=True), (f"{longer} postcodes have nine digits",))


def _numbers(name: str, meaning: Meaning | None, values: pa.Array, stated: Stated) -> Need | None:
    unit = unit_of(values)
    plain = _share(values, _CANONICAL) == 1 and not (stated.decimal == "," and _share(values, _THREE_BEHIND_POINT) > 0)
    if (unit is None and (_share(values, _LIKE_NUMBER) < _MOST or plain)) or _share(values, _LEADING_ZERO) > 0:
        return None
    if is_technical_key(name) or ends_as_key(name):
        return None
    if meaning is not None and (meaning.topic in ("postal", "diagnosis") or meaning.identifier):
        return None
    forms = [form for form in usual_forms(unit) if stated.decimal in (None, form.decimal)]
    read = {form: int(pc.sum(form.read(values).is_valid()).as_py()) for form in forms}
    best = max(read.values())
    fitting = [form for form in forms if read[form] == best]
    if best < _MOST * len(values) or not fitting:
        return None
    form = fitting[0]
    readings = {tuple(one.read(values).to_pylist()) for one in fitting}
    if len(readings) > 1:  # 1,234 is two numbers
        return Need(Cleaning(), (f"{best} numbers can be read in {len(readings)} ways: say clean: {{number: …}}",))
    what = {",": "decimal commas", ".": "numbers"}[form.decimal] + (
        " and thousands separators" if form.thousands else ""
    )
    what += f" in {unit}" if unit else ""
    return Need(Cleaning(number=form), (what,), 0, len(values) - best)


def _sex(name: str, meaning: Meaning | None, values: pa.Array, stated: Stated) -> Need | None:
    """Words for sex, if all are known and there are more of them than sexes."""
    if meaning is None or meaning.topic != "sex":
        return None
    texts = [text.upper() for text in values.to_pylist()]
    letters = _letters_for_sex(frozenset(texts), name)
    if letters is None:
        return Need(Cleaning(), ("letters that may mean either sex: say clean: {recode: …}",))
    recode = {
        word: letter for words in _SEX.values() if not set(words).isdisjoint(texts) for word, letter in words.items()
    } | letters
    results = {recode.get(text, text) for text in texts}
    if not results <= {"F", "M", "X", "D", "O", "U"} or len(results) == len(texts):
        return None
    why = f"{len(values)} spellings of {len(results)} values, from the word lists of several languages"
    return Need(Cleaning(trim=True, case="upper", recode=recode), (why,))


def _letters_for_sex(texts: frozenset[str], name: str) -> dict[str, str] | None:
    """What H, M and V stand for beside the other texts of a column; None where nothing tells.

    H is a man (homme, hombre), and M beside it a woman (mujer). V is a woman in Dutch (vrouw) and a man in Spanish
    (varón), where M may be either (mujer, masculino).

    >>> [_letters_for_sex(frozenset(texts), "sex") for texts in ("HF", "HM", "HMF", "MF", "VM")]
    [{'H': 'M'}, {'H': 'M', 'M': 'F'}, None, {}, None]
    """
    letters: dict[str, str] = {}
    if "V" in texts:
        if texts.isdisjoint(_SEX["dutch"]) and "geslacht" not in tokens(name):
            return None
        letters["V"] = "F"
    if "H" in texts:
        letters["H"] = "M"
        if "M" in texts:
            letters["M"] = "F"
    by_m = "M" in texts and ("H" in texts or not texts.isdisjoint(_SEX["spanish"]))
    return None if by_m and ("F" in texts) == ("H" in texts) else letters


def _spellings(name: str, meaning: Meaning | None, values: pa.Array, stated: Stated) -> Need | None:
    """Categories that differ in case only."""
    if len(values) > _MOST_SPELLINGS:
        return None
    texts = values.to_pylist()
    alike = len(texts) - len({text.casefold() for text in texts})
    if not alike:
        return None
    coded = any(re.search(r"\d", text) for text in texts) or max(map(len, texts)) <= _FAR
    why = f"{alike} value(s) differ from another only in case"
    return Need(Cleaning(trim=True, case="upper" if coded else "title"), (why,))


def written(need: Need) -> Iterator[str]:
    """The cleaning as the fields of a YAML mapping."""
    cleaning = need.cleaning
    if cleaning.trim:
        yield "trim: true"
    if cleaning.case:
        yield f"case: {cleaning.case}"
    if cleaning.recode:
        yield "recode: {" + ", ".join(f"{word}: {to}" for word, to in cleaning.recode.items()) + "}"
    if cleaning.zip5:
        yield "zip5: true"
    if cleaning.date:
        yield "date: [" + ", ".join(f'"{form}"' for form in cleaning.date) + "]"
    if need.undecided:
        yield "day_first: undecided"
    elif cleaning.day_first is not None:
        yield f"day_first: {str(cleaning.day_first).lower()}"
    if cleaning.number is not None:
        signs = vars(cleaning.number).items()
        yield "number: {" + ", ".join(f'{name}: "{sign}"' for name, sign in signs if sign) + "}"
