"""What the shipped network is told of each token: how it is written and which lists hold it, the signs around it, where
it stands, and what the rules say of it.

Each of these is a key that many tokens share, and a key has facts. A network knows some of the facts; what it does not
know tells it nothing. Words are facts too, but the training script keeps only those that several authors use outside of
names, so that a network holds no rare word.

>>> word_facts("Rosa")[:3]
('shape=t', 'lists=B', 'letters=1')
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from sharewell.notes.annotation.features import number_shape, of_word, sections
from sharewell.notes.detectors.name_tokens import letters_say
from sharewell.notes.engine.spans import Span, Text

LETTERED = ("word=", "front=", "back=", "tail=")
"""Facts that hold letters of a word: training leaves them out now and then, so that a network does without them."""
SINGLE, FIRST, INSIDE, LAST = "SBIE"
"""Where in its span a token stands."""
_STEPS = 20
"""The certainty of a rule counts in so many steps."""
_DIGITS = re.compile(r"\d+")
_SHORT = 25
_FAR = 3
_END = "\n"
_STRONGEST = 8


Place = tuple[str, int, bool, bool]
"""Where a token stands: the first word of the heading above it; how many tokens of its line stand before it (three
stands for more); whether capitals tell nothing in the note, and whether it is as short as a query."""
Evidence = tuple[str, str, int, str, str, tuple[str, ...]]
"""What the rules say of a token: kind, rule, certainty and part of the span that covers it; the kind of the same word
elsewhere in the note, where no rule found it here; the safe phrases that cover it."""
NOTHING: Evidence = ("", "", 0, "", "", ())


def place_facts(place: Place) -> tuple[str, ...]:
    heading, step, caseless, short = place
    return f"heading={heading}", f"step={step}", *(("caseless",) * caseless), *(("short",) * short)


def evidence_facts(evidence: Evidence) -> tuple[str, ...]:
    kind, rule, certainty, part, again, safe = evidence
    facts = [f"safe={phrase}" for phrase in safe] + [f"again={again}"] * bool(again)
    if kind:
        facts += [f"rule={kind}|{rule}", f"sure={kind}|{certainty}", f"part={kind}|{part}"]
    return tuple(facts)


def word_facts(written: str) -> tuple[str, ...]:
    """What a word is by itself."""
    lower = written.lower()
    facts = [fact for fact in of_word(written, affixes=False) if not fact.startswith("word=")]
    facts.append("look=" + "".join(map(_look, written[:6])))
    if written.isdigit():
        facts.append("number=" + (written.lstrip("0") if len(written) < 3 else number_shape(written)))
        if len(written) == 4 and written[:2] in ("19", "20"):
            facts.append(f"decade={written[:3]}")
    elif not written.isalpha():
        facts.append("mixed=" + _DIGITS.sub("9", lower)[:5])
    elif len(written) > 2:
        facts.append(f"sound={max(-_STRONGEST, min(_STRONGEST, letters_say(lower) // 20))}")
        facts += [f"front={lower[:3]}", f"back={lower[-3:]}", f"tail={lower[-2:]}"] if len(written) > 3 else []
    return (*facts, f"word={lower}")


def _look(sign: str) -> str:
    return "9" if sign.isdigit() else "X" if sign.isupper() else "x" if sign.islower() else "o"


def gap_facts(gap: tuple[str, str]) -> tuple[str, ...]:
    """What stands before and after a token."""
    return f"before={_sign(gap[0])}", f"after={_sign(gap[1])}"


def _sign(between: str) -> str:
    sign = between.strip()
    if "\n" in between:
        return f"line{min(between.count(_END), 2)}{sign[:1]}"
    if not sign:
        return " " if between else ""
    return " " * between[0].isspace() + sign[:3] + " " * between[-1].isspace()


def gaps_of(note: Text) -> list[tuple[str, str]]:
    """What stands before and after each token."""
    breaks = note.breaks
    return list(zip(breaks, [*breaks[1:], _END], strict=False))


def places_of(note: Text) -> list[Place]:
    """Where each token stands."""
    caseless, short, step = note.caseless, len(note.written) < _SHORT, 0
    places = []
    for between, heading in zip(note.breaks, sections(note), strict=False):
        if "\n" in between:
            step = 0
        elif step < _FAR and between:
            step += 1
        places.append((heading, step, caseless, short))
    return places


def evidence_of(
    note: Text, won: Sequence[Span], won_tokens: Sequence[range], safe: Sequence[Span], safe_tokens: Sequence[range]
) -> dict[int, Evidence]:
    """Token → what rules say of it, of tokens of which they say anything. The spans that won do not overlap."""
    written = note.written
    said: dict[int, Evidence] = {}
    elsewhere: dict[str, str] = {}
    for span, covered in zip(won, won_tokens, strict=True):
        kind, rule, certainty, last = span.kind, span.reason, int(span.certainty * _STEPS), len(covered) - 1
        for step, at in enumerate(covered):
            part = SINGLE if not last else FIRST if not step else LAST if step == last else INSIDE
            said[at] = (kind, rule, certainty, part, "", ())
            word = written[at]
            if len(word) > 2 and word[0].isupper():
                elsewhere[word] = kind
    if elsewhere:
        for at, word in enumerate(written):
            if word in elsewhere and at not in said:
                said[at] = ("", "", 0, "", elsewhere[word], ())
    for span, covered in zip(safe, safe_tokens, strict=True):
        for at in covered:
            *before, phrases = said.get(at, NOTHING)
            said[at] = (*before, (*phrases, span.reason))  # type: ignore[assignment]
    return said


def tokens_of(note: Text, span: Span) -> range:
    """The tokens that a span touches."""
    begins = note.token_starts
    first = bisect_right(begins, span.start) - 1
    if first < 0:
        first = 0
    elif begins[first] != span.start and note.tokens[first][1] <= span.start:  # inside of a word, or before one
        first += 1
    return range(first, max(first, bisect_left(begins, span.end)))
