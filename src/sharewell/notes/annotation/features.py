"""The features by which a model labels the tokens of a note.

A token has its shape, the lists of names, words and places that hold it, its first and last letters, its length, a
score of its letters, the punctuation before it and the heading above it; the first of these also for three neighbours
on either side; and pairs with the words and signs next to it. Only everyday words of English and words that go with
names (Dr, RN, St) are features themselves, so a model holds no rare word and no number of its training notes.

>>> features_of(Text.of("Seen by Rosa"))[2][:4]
['shape=t', 'lists=B', 'word=', 'letters=1']
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from sharewell.calendar_names import MONTH_WORDS
from sharewell.notes.detectors.clinical_words import PRODUCTS, SHORTHAND, TONGUES
from sharewell.notes.detectors.name_tokens import letters_say, seen
from sharewell.notes.detectors.name_words import DEGREE_WORDS
from sharewell.notes.detectors.things import CLIPPED, GERMS, GOODS, KITH, PEOPLES
from sharewell.notes.engine.gazetteer import places, plain, state_names
from sharewell.notes.engine.lexicons import eponym_words, words
from sharewell.notes.engine.spans import Text
from sharewell.notes.engine.word_lists import lexicon, listed

VERSION = 5
"""Of this file: a model of another version is refused."""
AROUND = (-3, -2, -1, 1, 2, 3)
LINE = "line"
SHARED = 3
"""So many facts of a word are seen by its neighbours too, beside the gap before it."""
EDGE = "edge"
"""What stands for a neighbour where there is none."""
_LETTERED = ("word=", "front=", "back=", "section=", "before=", "after=")
"""Facts that hold letters of the notes: where too few notes have one, it is left out."""
_HEADING = re.compile(r"^[ \t]*([a-z][a-z]+)(?:[ /&-]+[a-z]+){0,4}[ \t]*:", re.MULTILINE)
_CUES = listed(
    "mr mrs ms miss dr prof sir rn md np pa do lpn cna lcsw pt ot rt pharmd phd jr sr st ste ave rd blvd ln apt hwy"
    " dept mrn dob ssn id no acct csn pcp nok poa cc re via tel ph fax cell pager ext po box attn dx hx rx tx pmh psh"
    " meds yo f m am pm mg ml kg cm mm bid tid qid prn iv neg pos wnl s p w h o c d x"
)


def features_of(text: Text, affixes: bool = True) -> list[list[str]]:
    """The features of every token, as training wants them."""
    facts_by_token = [of_word(text[token.start : token.end], affixes) for token in text.tokens]
    before, above = gaps(text), sections(text)
    rows: list[list[str]] = []
    if not facts_by_token:
        return rows
    for index, facts in enumerate(facts_by_token):
        features = [*facts, f"gap={before[index]}", f"section={above[index]}"]
        for offset in AROUND:
            if 0 <= index + offset < len(facts_by_token):
                features += [f"{offset:+d}{fact}" for fact in facts_by_token[index + offset][:SHARED]]
                features.append(f"{offset:+d}gap={before[index + offset]}")
        rows.append(features)
    for features, pair_facts in zip(rows, zip(*pairs(facts_by_token, before), strict=True), strict=True):
        features += [fact for fact in pair_facts if fact]
    return rows


def pairs(facts_by_token: Sequence[tuple[str, ...]], before: Sequence[str]) -> list[list[str]]:
    """What each word is together with its neighbours: five lists of facts, "" where there is nothing to tell."""
    looks = [f"{facts[0]} {facts[1]}" for facts in facts_by_token]
    spoken_words = [facts[2][5:] for facts in facts_by_token]
    ahead, behind = [EDGE, *looks[:-1]], [*looks[1:], EDGE]
    word_before, word_after = ["", *spoken_words[:-1]], [*spoken_words[1:], ""]
    return [
        [f"left={other}|{look}" for other, look in zip(ahead, looks, strict=True)],
        [f"right={look}|{other}" for other, look in zip(behind, looks, strict=True)],
        [f"before={word}|{look}" if word else "" for word, look in zip(word_before, looks, strict=True)],
        [f"after={word}|{look}" if word else "" for word, look in zip(word_after, looks, strict=True)],
        [f"signs={a}|{look}|{b}" for a, look, b in zip(before, looks, [*before[1:], EDGE], strict=True)],
    ]


@lru_cache(maxsize=1 << 14)
def of_word(written: str, affixes: bool = True) -> tuple[str, ...]:
    """The facts of a word by itself: shape, lists, the word if it is an everyday one; then the rest."""
    [word] = seen([written])
    lower, shape, mark, level = word.lower, word.shape, word.mark, word.level
    letters = max(-3, min(3, letters_say(lower) // 40)) if shape in "tul" else 0
    if shape == "d":
        mixed = re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", written))[:4]
        shape = number_shape(written) if written.isdigit() else mixed
    bare = plain(lower)
    itself = lower if bare in _CUES or (level in ("1", "2") and not mark.isupper()) else ""
    facts = [f"shape={shape}", f"lists={mark}{level}", f"word={itself}"]
    facts += [f"letters={letters}", f"length={min(len(written), 12)}"]
    facts += [f"listed={lists}"] if (lists := _listed(bare)) else []
    facts += [f"clinic={sort}"] if (sort := _clinic(bare)) else []
    if affixes and written.isalpha() and len(written) > 3:
        facts += [f"front={lower[:2]}", f"back={lower[-3:]}"]
    return tuple(facts)


def number_shape(digits: str) -> str:
    """How many digits a number has, and whether it may be a month, a day, a year or a time of day.

    >>> [number_shape(number) for number in ("0", "7", "07", "12", "31", "40", "1987", "2140", "9999")]
    ['d1z', 'd1', 'd2z', 'd2m', 'd2d', 'd2', 'd4y', 'd4t', 'd4']
    """
    may_be = ""
    if len(digits) <= 2 and digits[0] == "0":
        may_be = "z"
    elif len(digits) == 2:
        may_be = "m" if digits <= "12" else "d" if digits < "32" else ""
    elif len(digits) == 4:
        may_be = "y" if digits[:2] in ("19", "20") else "t" if digits[:2] < "24" and digits[2:] < "60" else ""
    return f"d{len(digits)}{may_be}"


def gaps(text: Text) -> list[str]:
    """What stands before each token: a line break, a sign or two, or a blank."""
    gaps_before = list(map(_sign, text.breaks))
    gaps_before[:1] = [LINE] * len(gaps_before[:1])
    return gaps_before


@lru_cache(maxsize=1 << 12)
def _sign(before: str) -> str:
    return " " if before == " " else LINE if "\n" in before else before.strip()[:2] or " "


def sections(text: Text) -> list[str]:
    """The first word of the heading that each token stands under; none if it is no everyday word."""
    headings: list[str] = []
    heading = ""
    for match in _headings(text.folded):
        headings += [heading] * (bisect_left(text.tokens, (match.start(),)) - len(headings))
        heading = _heading(match[1])
    return headings + [heading] * (len(text.tokens) - len(headings))


def _headings(low: str) -> Iterator[re.Match[str]]:
    """Looked for in lines that have a colon."""
    colon = low.find(":")
    while colon >= 0:
        if match := _HEADING.match(low, low.rfind("\n", 0, colon) + 1):
            yield match
        end = low.find("\n", colon)
        colon = low.find(":", end) if end >= 0 else -1


def segments(before: Sequence[str]) -> list[int]:
    """Where sequences begin: at lines, at sentences that are not short, and after so many words in any case."""
    starts, last = [], 0
    for index, gap in enumerate(before):
        length = index - last
        if not index or gap == LINE or (length >= 10 and gap[0] in ".!?;") or length >= 40:
            starts.append(index)
            last = index
    return starts


def frequent(notes: Sequence[Sequence[Sequence[str]]], least: int) -> frozenset[str]:
    """Of the features that hold letters, those that so many notes have."""
    counts: Counter[str] = Counter()
    for note in notes:
        counts.update({fact for token in note for fact in token if _lettered(fact)})
    return frozenset(fact for fact, notes_with in counts.items() if notes_with >= least)


def without_rare(note: Sequence[Sequence[str]], kept: frozenset[str]) -> list[list[str]]:
    """The features of a note, less those that hold letters and are not among the kept."""
    return [[fact for fact in token if fact in kept or not _lettered(fact)] for token in note]


def _lettered(fact: str) -> bool:
    return fact.lstrip("+-0123456789").startswith(_LETTERED) and not fact.endswith("=")


def _heading(word: str) -> str:
    return word if words().get(word, "") in ("1", "2", "3", "c") else ""


def _clinic(word: str) -> str:
    """Which list of the clinic has a word: acronyms, degrees, products and germs, peoples; or that its parts tell."""
    if word in lexicon("acronyms") or word in SHORTHAND or word in CLIPPED:
        return "acronym"
    if word in DEGREE_WORDS:
        return "degree"
    if word in PRODUCTS or word in GERMS or word in GOODS:
        return "thing"
    if word in PEOPLES or word in TONGUES:
        return "people"
    return "kin" if word in KITH else ""


def _listed(word: str) -> str:
    """In which further lists: months, eponyms, states, places."""
    if word in MONTH_WORDS:
        return "month"
    if word in eponym_words():
        return "eponym"
    if word in state_names():
        return "state"
    return f"place{mark}" if (mark := places().get(word, "")) else ""
