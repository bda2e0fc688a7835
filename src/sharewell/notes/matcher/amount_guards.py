"""Guards of numbers: ages and amounts, by the words and the years around them."""

from __future__ import annotations

import re

from sharewell.notes.engine.lexicons import words
from sharewell.notes.matcher.guard_list import GuardList
from sharewell.notes.matcher.rule import Candidate, Guard

OF_AMOUNTS = GuardList()
_SEEN = 40
_WORD = re.compile(r"[^\W_]+")
_GREAT = 89
_COMMON = "2"


@OF_AMOUNTS.add_worded
def none_before(words: frozenset[str]) -> Guard:
    """None of the words before it, in its sentence and within forty characters, is in the lexicon."""

    def asked(candidate: Candidate) -> bool:
        before = candidate.text.folded[max(0, candidate.start - _SEEN) : candidate.start]
        sentence = before[max(before.rfind(stop) for stop in (". ", "; ", "\n")) + 1 :]
        return words.isdisjoint(_WORD.findall(sentence))

    return asked


@OF_AMOUNTS.add
def named_uncommon(candidate: Candidate) -> bool:
    """The group `name` of its pattern, if there is one, is no frequent word of English."""
    name = candidate.match.groupdict().get("name")
    return not name or words().get(name.lower(), "9") > _COMMON


@OF_AMOUNTS.add
def tells_a_great_age(candidate: Candidate) -> bool:
    """It is a year, and another year of the note is ninety or more later."""
    low = candidate.text.folded
    years = [(start, int(low[start:end])) for start, end in candidate.text.digits if end - start == 4]
    later = [year for start, year in years if 1900 <= year < 2100 and (year >= 2000 or low[start - 1] not in "/.-")]
    return candidate.written.isdecimal() and max(later, default=0) - int(candidate.written) > _GREAT
