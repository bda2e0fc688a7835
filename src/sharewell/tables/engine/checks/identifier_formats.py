"""How identifiers of the HIPAA list are written, by the rules of those who assign them: for judging published cells.

A cell is first brought to one spelling (`cell_spelling`): digits of any script, one kind of dash, blank and dot, no
invisible characters. A label in front of it (`ZIP`, `SSN no.`, `tel:`) is read as what it says (`cell_labels`), glued
or not, and the rest is read without it. Days are recognised and set aside (`date_formats`). What is left is cut into
groups of digits, and groups that follow each other are held against the numbering plans, wherever in the cell they
stand: area, group and serial of the Social Security Administration, area code and exchange of the North American
Numbering Plan, E.164 and the zero before national numbers elsewhere. Places, network addresses and codes with check
characters have modules of their own (`place_formats`, `network_formats`, `code_formats`). Groups without a plan are
joined, and numbers without separators are judged by the company they have in the column (`identifier_numbers`).
Mechanisms and the search for identifiers in notes recognise them by patterns of characters; nothing of those is used
here.

>>> format_of("078-05-1120"), format_of("(617) 555-0123"), format_of("write to bo@example.org"), format_of("02139-4307")
('a social security number', 'a telephone number', 'an e-mail address', 'a ZIP code')
>>> format_of("{078.05.1120,x}"), format_of("617\u2013555\u20130123"), format_of("MA 02139"), format_of("ZIP02139")
('a social security number', 'a telephone number', 'a ZIP code', 'a ZIP code')
>>> format_of("4111 1111 1111 1111"), format_of("192.168.1.1:80"), format_of("MRN 4711"), format_of("2019-03-04T10:00Z")
('an account or card number', 'a network address', 'a record number', 'a date')
>>> format_of("1980-1989"), format_of("E11.9"), format_of("120/80"), format_of("12345.6789"), format_of("0002-1433-80")
(None, None, None, None, None)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.engine.checks import date_formats
from sharewell.tables.engine.checks.cell_labels import DAY, RECORD, joins, labelled, unlabelled
from sharewell.tables.engine.checks.cell_spelling import normalised
from sharewell.tables.engine.checks.code_formats import ACCOUNT, PLATE, checks_by_doubling, code_format, is_plate
from sharewell.tables.engine.checks.hipaa_names import code_system, is_amount
from sharewell.tables.engine.checks.identifier_numbers import (
    POSTAL,
    SOCIAL,
    TELEPHONE,
    Occurrences,
    belong_to_few,
    identifying_numbers,
    is_concept,
    is_lettered,
    is_north_american,
    is_social_security,
    numbers_in,
)
from sharewell.tables.engine.checks.network_formats import network_format
from sharewell.tables.engine.checks.place_formats import exact_place, postal_code

AGE, PLACE = "an age above 89", "an exact place"
OF_A_LIMITED_DATA_SET = frozenset((POSTAL, DAY, AGE))
"""What a Limited Data Set may show."""
_RUNS = re.compile(r"([0-9]+)")
_ONE_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|-?\.[0-9]+")
_DRUGS = frozenset(((4, 4, 2), (5, 3, 2), (5, 4, 1), (5, 4, 2), (4, 4), (5, 3)))
"""Groups of digits in the national drug codes."""
_MASKED = re.compile(r"[Xx*#]{3}[- ]?[Xx*#]{2}[- ]?[0-9]{4}(?![0-9])")
_AGED = re.compile(
    r"(?<![0-9.])([0-9]{2,3})(?:\.[0-9]+)?(?: |-)?(?:y(?:ea)?rs?(?: |-)old|y/?o(?![a-z])|year-old)", re.IGNORECASE
)
_LABELLED_AGE = re.compile(r"(?<![^\W\d_])(?:age|aged|ages)[ :=#-]*([0-9]{2,3})(?![0-9])", re.IGNORECASE)


class CountedCell(NamedTuple):
    """A text that a column shows, in how many rows, and of which persons where they are known."""

    text: str
    rows: int
    persons: NDArray[np.int32] | None = None


def identifying_cells(cells: Sequence[CountedCell], name: str = "", limited: bool = False) -> list[str | None]:
    """What each text of one column shows that identifies a person; None where nothing does. O(d) for d texts

    The name tells codes of diseases, drugs and tests, and amounts, from numbers of persons. `limited` lets ZIP codes,
    dates and ages pass, which a Limited Data Set may show.
    """
    may_stay = OF_A_LIMITED_DATA_SET if limited else frozenset()
    plain = [normalised(cell.text) for cell in cells]
    undated = [date_formats.without_days(text) for text in plain]
    by_cell = [_numbers(text) for text in undated]
    occurrences = _occurrences(cells, by_cell)
    bad = _unexplained(identifying_numbers(occurrences, postal=POSTAL not in may_stay), name)
    by_company = _by_company(cells, plain, may_stay)
    drugs = code_system(name) == "ndc" or sum(_layout(text) in _DRUGS for text in plain) * 6 >= len(plain)
    kinds: list[str | None] = []
    for text, rest, numbers, company in zip(plain, undated, by_cell, by_company, strict=True):
        kind = None if _ONE_NUMBER.fullmatch(text.strip()) else _format_of(text, rest, may_stay)
        if kind == POSTAL and drugs and _layout(text) == (5, 4):
            kind = None
        kinds.append(kind or next((bad[number] for number in sorted(numbers) if number in bad), None) or company)
    return kinds


def _unexplained(bad: dict[str, str], name: str) -> dict[str, str]:
    """Without the bare numbers that are what the column's name says: codes of a system, or amounts."""
    system = code_system(name)
    zeros = any(number[0] == "0" for number, kind in bad.items() if kind == POSTAL)
    five_digits = system in ("cpt", "hcpcs", "icd", "rxnorm", "rxcui", "omop") or (is_amount(name) and not zeros)

    def explained(number: str, kind: str) -> bool:
        if kind == POSTAL:
            return five_digits
        drug = system == "ndc" and len(number) in (10, 11)
        return drug or (system in ("snomed", "sct", "sctid") and is_concept(number))

    return {number: kind for number, kind in bad.items() if not explained(number, kind)}


def _layout(text: str) -> tuple[int, ...]:
    """The lengths of the groups of digits of a text that has nothing but these and hyphens."""
    groups = text.strip().split("-")
    return tuple(map(len, groups)) if all(group.isdecimal() for group in groups) else ()


def _by_company(cells: Sequence[CountedCell], plain: Sequence[str], may_stay: frozenset[str]) -> list[str | None]:
    """Cells that may be dates, plates or numbered persons, told by how many of the column's cells are so, and whose."""
    results: list[str | None] = [None] * len(plain)
    filled = [i for i, text in enumerate(plain) if any(map(str.isalnum, text))]
    readings = {i: date_formats.reading(plain[i]) for i in filled}
    days = {i for i in filled if readings[i] is not None}
    if DAY not in may_stay and days:
        following = all(_is_fiscal_year(plain[i]) for i in days)
        if date_formats.tells_days([readings[i] for i in filled]) and not following:
            results = [DAY if i in days else None for i in range(len(plain))]
    if DAY not in may_stay and filled:
        texts = [plain[i].strip() for i in filled]
        if date_formats.are_months(texts):
            return [DAY if any(map(str.isalnum, text)) else None for text in plain]
        if date_formats.all_compact(texts):
            return [DAY if date_formats.is_compact(text.strip()) else None for text in plain]
    numbered = [i for i in filled if any("0" <= c <= "9" for c in plain[i])]
    for kind, is_so in ((RECORD, is_lettered), (PLATE, is_plate)):
        those = {i for i in numbered if is_so(plain[i])}
        if 2 * len(those) > len(numbered) and belong_to_few(_together([cells[i]]) for i in those):
            results = [kind if i in those else old for i, old in enumerate(results)]
    return results


def _is_fiscal_year(text: str) -> bool:
    """`2010-11`: a year and the next."""
    one, dash, two = text.strip().partition("-")
    return bool(dash) and one.isdecimal() and len(two) == 2 and two.isdecimal() and int(two) == (int(one) + 1) % 100


def _occurrences(cells: Sequence[CountedCell], by_cell: Sequence[set[str]]) -> dict[str, Occurrences]:
    """Every number of the column, with the rows and persons of all cells that show it."""
    showing: dict[str, list[CountedCell]] = {}
    for cell, numbers in zip(cells, by_cell, strict=True):
        for number in numbers:
            showing.setdefault(number, []).append(cell)
    return {number: _together(result) for number, result in showing.items()}


def _together(cells: Sequence[CountedCell]) -> Occurrences:
    known = [cell.persons for cell in cells if cell.persons is not None]
    return Occurrences(sum(cell.rows for cell in cells), known if len(known) == len(cells) else None)


def holders(cell: CountedCell) -> int:
    """The persons who have a cell; its rows, where persons are not known."""
    return _together([cell]).holders


def format_of(text: str, limited: bool = False) -> str | None:
    """What a cell, or a part of it, is written like, whatever its column holds; None if like nothing of this list."""
    plain = normalised(text)
    if _ONE_NUMBER.fullmatch(plain.strip()):  # judged with the numbers of its column
        return None
    return _format_of(plain, date_formats.without_days(plain), OF_A_LIMITED_DATA_SET if limited else frozenset())


def _format_of(text: str, undated: str, may_stay: frozenset[str]) -> str | None:
    """The first kind that may not stay, of a normalised text and the same without its days."""
    return next((kind for kind in _formats(text, undated) if kind not in may_stay), None)


def _formats(text: str, undated: str) -> Iterator[str]:
    digits = any("0" <= c <= "9" for c in text)
    if not digits:
        yield from filter(None, (network_format(text), code_format(text)))
        return
    if any(90 <= int(age) <= 130 for age in (*_AGED.findall(text), *_LABELLED_AGE.findall(text))):
        yield AGE
    if _MASKED.search(text):
        yield SOCIAL
    if undated != text:
        yield from filter(None, (network_format(text), code_format(text)))
    for one in (undated, *unlabelled(undated)):
        if one is not undated and date_formats.reading(one) == "sure":
            yield DAY
        yield from filter(None, (network_format(one), code_format(one)))
        yield from filter(None, map(_format_of_chain, _chains(_RUNS.split(one))))
        if exact_place(one):
            yield PLACE
        if postal_code(one):
            yield POSTAL
    yield from labelled(undated)
    if undated != text:
        yield DAY


class _Chain(NamedTuple):
    """Groups of digits that follow each other with separators between them only."""

    groups: list[str]
    gaps: list[str]
    before: str

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(map(len, self.groups))


def _chains(parts: Sequence[str]) -> list[_Chain]:
    """Cut what stands between groups of digits (even places) and the groups (odd places) into chains."""
    chains: list[_Chain] = []
    for place in range(1, len(parts), 2):
        gap = parts[place - 1]
        if place > 1 and joins(gap):
            chains[-1].groups.append(parts[place])
            chains[-1].gaps.append(gap)
        else:
            chains.append(_Chain([parts[place]], [], gap))
    return chains


def _format_of_chain(chain: _Chain) -> str | None:
    """The format of some groups within a chain: a number may follow a country code, or another number."""
    lengths, whole = chain.lengths, "".join(chain.groups)
    if chain.before.rstrip("(").endswith("+") and 8 <= len(whole) <= 15:
        return TELEPHONE
    for i in range(len(lengths) - 1):
        one, two, *three = chain.groups[i : i + 3]
        if lengths[i : i + 3] == (3, 2, 4) and is_social_security(one, two, three[0]):
            return SOCIAL
        if lengths[i : i + 3] == (3, 3, 4) and is_north_american(one, two):
            return TELEPHONE
        if lengths[i : i + 2] == (3, 7) and {"-", ")"} & set(chain.gaps[i]) and is_north_american(one, two):
            return TELEPHONE
    if not chain.gaps or lengths == (5, 4) or _is_measured(chain):
        return None
    if 13 <= len(whole) <= 19 and checks_by_doubling(whole) and min(lengths) > 1:
        return ACCOUNT
    national = whole[0] == "0" and whole[:3] != "000" and 9 <= len(whole) <= (15 if whole[1] == "0" else 12)
    return TELEPHONE if national and min(lengths) > 1 else None


def _is_measured(chain: _Chain) -> bool:
    """Decimals, intervals, rows of measurements, drug codes and object identifiers: groups that are no one number."""
    marks = {gap.strip() for gap in chain.gaps}
    if chain.lengths in _DRUGS and marks == {"-"}:
        return True
    if "." in marks and (len(marks) > 1 or len(chain.gaps) == 1 or (len(chain.gaps) > 3 and chain.groups[0] in "012")):
        return True
    if marks <= {"/", ""} and "/" in marks and max(chain.lengths) <= 3 and len(chain.groups) != 3:
        return True
    if marks == {""} and max(chain.lengths) <= 3 and not any(len(g) > 1 and g[0] == "0" for g in chain.groups):
        return chain.lengths != (3, 3, 3) or not checks_by_doubling("".join(chain.groups))
    return len(chain.groups) == 2 and marks <= {"-"} and _is_interval(*chain.groups)


def _is_interval(low: str, high: str) -> bool:
    """Do two numbers begin and end where intervals do?"""
    if max(len(low), len(high)) > 7 or int(low) >= int(high) or (low[0] == "0" and low != "0"):
        return False
    return (low[-1] == "0" and high[-1] in "09") or (low[-1] == "1" and high[-1] == "0")


def _numbers(text: str) -> set[str]:
    """The numbers of a text that the company in its column judges: those that stand alone, and groups joined."""
    results = numbers_in(text)
    if not any("0" <= c <= "9" for c in text):
        return results
    for chain in _chains(_RUNS.split(text)):
        whole = "".join(chain.groups)
        if chain.gaps and 9 <= len(whole) <= 20 and not _is_measured(chain) and chain.lengths != (5, 4):
            results.add(whole)
    return results
