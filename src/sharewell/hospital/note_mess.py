"""The mess of real notes: case, missing blanks, typos, hard line breaks, mojibake.

A note is a list of parts (text, label). Everything that changes lengths works on the parts, so that the spans of the
finished text are exact by construction; the line breaks come last and replace blanks one for one.
"""

from __future__ import annotations

import math
import re

from sharewell.hospital.draws import Dice
from sharewell.hospital.voters import misspelt

Part = tuple[str, str | None]
Span = dict[str, int | str]

_AFTER = re.compile(r"([.,;:]) +(?=\S)")
_WORD = re.compile(r"[A-Za-z]{4,}")
LETTERS = 6.2  # a word and its blank
_PLAIN = {None, "NAME", "DRUG", "LOCATION"}
LOWER, UPPER, TIGHT, WRAPPED, TYPO, HEADER, MOJIBAKE, VITALS = 0.08, 0.04, 0.06, 0.25, 0.015, 0.03, 0.005, 0.05


def _count(mean: float, dice: Dice) -> int:
    """A Poisson number."""
    count, limit, product = 0, math.exp(-mean), dice.unit()
    while product > limit:
        product *= dice.unit()
        count += 1
    return count


def _typos(parts: list[Part], dice: Dice, slips: float) -> list[Part]:
    """One edit in this many words (a share), in running text, names, drugs and places."""
    open_to = [place for place, (_, label) in enumerate(parts) if label in _PLAIN]
    letters = sum(len(parts[place][0]) for place in open_to)
    for _ in range(_count(slips * letters / LETTERS, dice)):
        offset = dice.below(letters)
        for place in open_to:
            text, label = parts[place]
            if offset < len(text):
                if match := _WORD.search(text, text.rfind(" ", 0, offset) + 1):
                    typo = misspelt(match.group(), dice)
                    parts[place] = (text[: match.start()] + typo + text[match.end() :], label)
                break
            offset -= len(text)
    return parts


def _header(parts: list[Part]) -> list[Part]:
    """The first line once more."""
    head: list[Part] = []
    for text, label in parts[:8]:
        line, line_end, _ = text.partition("\n")
        head.append((line, label))
        if line_end:
            break
    return [*head, ("\n", None), *parts]


def _vitals(dice: Dice) -> Part:
    systolic = 95 + dice.below(80)
    rows = (
        ("T", f"{36 + dice.below(25) / 10:.1f}"),
        ("HR", str(55 + dice.below(70))),
        ("BP", f"{systolic}/{systolic * 6 // 10}"),
        ("RR", str(10 + dice.below(16))),
        ("SpO2", f"{88 + dice.below(12)}%"),
    )
    return ("\n" + "\n".join("\t".join(row) for row in rows), None)


def _mojibake(parts: list[Part]) -> list[Part]:
    """One letter with a mark, read in the wrong encoding."""
    for i, (text, label) in enumerate(parts):
        for letter in text:
            if ord(letter) > 127:
                wrong = letter.encode("utf-8").decode("latin-1")
                return [*parts[:i], (text.replace(letter, wrong, 1), label), *parts[i + 1 :]]
    return parts


def _wrapped(text: str, width: int) -> str:
    """Break lines at blanks, wherever they are: names may stand on two lines."""
    lines = []
    for line in text.split("\n"):
        while len(line) > width:
            cut = line.rfind(" ", 1, width + 1)
            if cut < 1:
                break
            lines.append(line[:cut])
            line = line[cut + 1 :]
        lines.append(line)
    return "\n".join(lines)


def muddled(parts: list[Part], dice: Dice, slips: float = TYPO, case: str | None = None) -> list[Part]:
    """The parts of a note with its mess, still with their labels; an author's case is that of all their notes."""
    if dice.chance(VITALS):
        parts = [*parts, _vitals(dice)]
    if dice.chance(HEADER):
        parts = _header(parts)
    parts = _typos(list(parts), dice, slips)
    if dice.chance(MOJIBAKE):
        parts = _mojibake(parts)
    if dice.chance(TIGHT):
        parts = [(_AFTER.sub(r"\1", text), label) for text, label in parts]
    unit = dice.unit()
    case = case or ("lower" if unit < LOWER else "upper" if unit < LOWER + UPPER else None)
    if case is not None:
        parts = [(text.lower() if case == "lower" else text.upper(), label) for text, label in parts]
    return parts


def finished(parts: list[Part], dice: Dice, width: int | None = None) -> tuple[str, list[Span]]:
    """The text of a note and the exact places of what is labelled in it; an author may always break lines, or never."""
    text = "".join(part for part, _ in parts)
    if width is None:
        width = 60 + dice.below(13) if dice.chance(WRAPPED) else 0
    if width:
        text = _wrapped(text, width)
    spans: list[Span] = []
    place = 0
    for part, label in parts:
        if label and part:
            end = place + len(part)
            spans.append({"start": place, "end": end, "label": label, "text": text[place:end]})
        place += len(part)
    return text, spans
