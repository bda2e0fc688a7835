"""Guards of numbers, ages and doses: by the drugs near them, the words of their sentence and the years of the note."""

from __future__ import annotations

import re
from bisect import bisect_left
from operator import attrgetter

from sharewell.notes.engine.drug_lexicon import lexicon
from sharewell.notes.engine.drug_names import CLASS_WORD, drug_ends, drug_spans
from sharewell.notes.engine.drug_spelling import generic
from sharewell.notes.engine.lexicons import words
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import listed
from sharewell.notes.matcher.rule import Candidate, Guard, GuardList

OF_AMOUNTS = GuardList()
_SEEN, _GREAT, _COMMON = 40, 89, "2"
_START = attrgetter("start")
_WORD = re.compile(r"[^\W_]+")
_STOP = re.compile(r"[.;!?]\s+(?=\S)|\n")
_BEFORE, _AFTER = 90, 60
"""So many characters of a sentence are seen."""
_BETWEEN = re.compile(
    r"(?:(?: in| of)? ?|[ (]{0,2}|\s(?:drops|cream|ointment|gel|solution|patch|bag|infusion|eye drops|with)\s)"
)
_PAIR = re.compile(r"(\d{1,3})/(\d{1,3})")
_WITH_PAIRS = ("partial opioid agonist", "insulins")
_LEVEL = re.compile(r"\d+\.\d")
_MONITORED = listed(
    """
    vancomycin gentamicin tobramycin amikacin tacrolimus sirolimus everolimus cyclosporine phenytoin valproate digoxin
    carbamazepine theophylline phenobarbital lithium
    """
)
"""What has levels: 8.4 after it is one, 8.5 may be a dose."""
_MEASURED = listed("b12 folate testosterone progesterone estradiol zinc d a e")
"""What a laboratory measures more often than a ward gives: a bare number after it is no dose."""


def _around(candidate: Candidate) -> list[Span]:
    """The drugs right before and after."""
    drugs = drug_spans(candidate.text)
    at = bisect_left(drugs, candidate.start, key=_START)
    return drugs[max(0, at - 1) : at + 1]


@OF_AMOUNTS.add_numbered
def near_drug(reach: int) -> Guard:
    """A drug is named within N characters of it."""
    return lambda result: any(
        drug.start - result.end <= reach and result.start - drug.end <= reach for drug in _around(result)
    )


@OF_AMOUNTS.add_numbered
def drug_in_sentence(reach: int) -> Guard:
    """A drug is named within N characters of it, and no sentence ends between them."""

    def asked(candidate: Candidate) -> bool:
        low = candidate.text.folded
        return any(
            drug.start - candidate.end <= reach
            and candidate.start - drug.end <= reach
            and not _STOP.search(low, min(drug.end, candidate.end) - 1, max(drug.start, candidate.start) + 1)
            for drug in _around(candidate)
        )

    return asked


@OF_AMOUNTS.add
def beside_drug(candidate: Candidate) -> bool:
    """A drug stands right before or after it."""
    low = candidate.text.folded
    return any(
        _BETWEEN.fullmatch(low, candidate.end, drug.start)
        if drug.start >= candidate.end
        else _BETWEEN.fullmatch(low, drug.end, candidate.start)
        for drug in _around(candidate)
    )


@OF_AMOUNTS.add
def drug_next(candidate: Candidate) -> bool:
    """The name of a drug begins where its pattern ends."""
    return candidate.match.end() in candidate.text.remembered(_names_of_drugs)


def _names_of_drugs(text: Text) -> frozenset[int]:
    """Where names of drugs begin, not words for a class of them."""
    return frozenset(drug.start for drug in drug_spans(text) if drug.reason != CLASS_WORD)


@OF_AMOUNTS.add
def bare_dose(candidate: Candidate) -> bool:
    """Its pattern begins right after the name of a drug, whose level it is not, and it is no blood pressure or day."""
    begin = candidate.match.start()
    drug = drug_ends(candidate.text).get(begin)
    if drug is None or drug.reason == CLASS_WORD:
        return False
    written, said = candidate.text.folded[drug.start : begin], candidate.lower
    name = generic(written)
    label, group = lexicon().classes.get(name, ("", ""))
    if written.split()[-1] in _MEASURED or group == "vaccine" or "immune globulin" in name:
        return False
    if name in _MONITORED and _LEVEL.fullmatch(said) and float(said) * 8 % 1:
        return False
    pair = _PAIR.fullmatch(said)
    if pair is None or "/" in name or label in _WITH_PAIRS:
        return said[:3] != "auc" or name == "carboplatin"
    upper, lower = int(pair[1]), int(pair[2])
    day = min(upper, lower) <= 12 and max(upper, lower) <= 31
    return not day and not (70 <= upper <= 260 and 30 <= lower <= 140 and lower < upper)


def _sentence(candidate: Candidate) -> str:
    low, start, end = candidate.text.folded, candidate.start, candidate.end
    before = _STOP.split(low[max(0, start - _BEFORE) : start])[-1]
    return before + low[start:end] + _STOP.split(low[end : end + _AFTER])[0]


@OF_AMOUNTS.add_worded
def some_in_sentence(listed_words: frozenset[str]) -> Guard:
    """A word of the lexicon is in its sentence."""
    return lambda result: not listed_words.isdisjoint(_WORD.findall(_sentence(result)))


@OF_AMOUNTS.add_worded
def none_in_sentence(listed_words: frozenset[str]) -> Guard:
    """No word of the lexicon is in its sentence."""
    return lambda result: listed_words.isdisjoint(_WORD.findall(_sentence(result)))


@OF_AMOUNTS.add_worded
def none_before(listed_words: frozenset[str]) -> Guard:
    """None of the words before it, in its sentence and within forty characters, is in the lexicon."""

    def asked(candidate: Candidate) -> bool:
        before = candidate.text.folded[max(0, candidate.start - _SEEN) : candidate.start]
        sentence = before[max(before.rfind(stop) for stop in (". ", "; ", "\n")) + 1 :]
        return listed_words.isdisjoint(_WORD.findall(sentence))

    return asked


@OF_AMOUNTS.add
def named_uncommon(candidate: Candidate) -> bool:
    """The group `name` of its pattern, if there is one, is no frequent word of English."""
    name = candidate.match.groupdict().get("name")
    return not name or words().get(name.lower(), "9") > _COMMON


@OF_AMOUNTS.add
def tells_a_great_age(candidate: Candidate) -> bool:
    """It is a year, and another year of the note is ninety or more later."""
    return candidate.written.isdecimal() and candidate.text.remembered(_last_year) - int(candidate.written) > _GREAT


def _last_year(text: Text) -> int:
    """The latest year that a note names; 0 if it names none."""
    low = text.folded
    years = [(start, int(low[start:end])) for start, end in text.digits if end - start == 4]
    later = [year for start, year in years if 1900 <= year < 2100 and (year >= 2000 or low[start - 1] not in "/.-")]
    return max(later, default=0)
