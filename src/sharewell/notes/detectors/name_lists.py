"""Names by lists and letters: words side by side that are names, surname and given name, a name that stands alone."""

from __future__ import annotations

import re
from functools import lru_cache

from sharewell.notes.detectors.name_tokens import Word, letters_say, seen, weight
from sharewell.notes.detectors.name_words import (
    COPULAS,
    DEGREE_WORDS,
    DEGREES,
    DRUG_BEFORE,
    HONORIFICS,
    JOINT,
    MEDICAL_AFTER,
    MONTHS_AND_WILL,
    NAMES_TOO,
    NEVER_ALONE,
    PARTICLES,
    SUFFIXES,
    TITLE_WORDS,
    VERBS,
)
from sharewell.notes.detectors.things import JOINED
from sharewell.notes.engine.gazetteer import countries
from sharewell.notes.engine.lexicons import eponym_words
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import listed

_SHOUTED = 0.5
_COMMA = re.compile(r" ?,[ ]{0,3}(?=[^\W\d_])")
_SCORED = re.compile(r"(?:['’]s)? \d{1,3}(?:/\d|%|-\d{1,2}-\d\b)")
_MESSAGE = 160
"""A shorter text is a message: it names people more often than things that no dictionary has."""
_GLUE = frozenset("@._/\\#&")
_ROMAN = listed("i ii iii iv v vi")
_GRADED = listed("cat category type class stage grade group hepatitis hep vitamin vit factor tymps tymp influenza flu")
_TRAILING = PARTICLES - {"o", "mc"}
_SENTENCE_END = re.compile(r"[.!?:;\n•*>\"“\[-]\s*$|^\s*$|\s{2,}$|\n")


class Reader:
    """One note, its words, and what was found in it."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.shouted = text.upper_share > _SHOUTED
        self.flat = text.upper_share == 0 or (text.caseless and text.upper_share < _SHOUTED)
        self.words = seen(text.written)
        self.tokens, self.starts = text.tokens, text.starts
        self.gaps = text.breaks  # what stands before a word, after the one before it
        self.found: list[Span] = []
        self.sure: set[str] = set()
        self.taken: set[int] = set()

    def claim(self, first: int, end: int, certainty: float, reason: str) -> None:
        """Words from first to before end are a name; those that tell by themselves are looked for elsewhere."""
        while end - 1 > first and self.words[end - 1].shape == "l" and self.words[end - 1].lower in _TRAILING:
            end -= 1
        while end - first > 1 and self.words[first].lower in HONORIFICS:
            first += 1
        self.found.append(Span(self.tokens[first].start, self.tokens[end - 1].end, "NAME", certainty, reason))
        if certainty >= 0.7:
            self.taken.update(range(first, end))
            self.sure.update([word.lower for word in self.words[first:end] if word.tells])

    def dotted_at(self, at: int) -> bool:
        end = self.tokens[at].end
        return self.text[end : end + 1] == "."

    def acts(self, at: int) -> bool:
        """Whether a verb follows that has a person before it."""
        return at + 1 < len(self.words) and self.gaps[at + 1] == " " and self.words[at + 1].lower in VERBS

    def opens(self, at: int) -> bool:
        start = self.tokens[at].start
        return at == 0 or _ends(self.text[max(0, start - 3) : start])


@lru_cache(maxsize=1 << 12)
def _ends(before: str) -> bool:
    """Whether a sentence, a line or a field ends with some signs."""
    return _SENTENCE_END.search(before) is not None


_STREETS = frozenset(("st", "street", "ave", "avenue", "rd", "road", "ln", "dr", "drive", "blvd", "ct", "way", "pl"))


class Lists(Reader):
    """The rules that look words up: no word around a name says that it is one."""

    def comma_names(self) -> None:
        """Delgado, Rosa M."""
        for comma in _COMMA.finditer(self.text):
            at = self.starts.get(comma.end(), 0) - 1
            if at < 0 or self.tokens[at].end != comma.start() or not self._turned(at):
                continue
            if self.words[at].lower in _STREETS:
                continue
            begin, end = at, at + 2
            while begin > 0 and self.gaps[begin] in ("-", "'", "’") and self.words[begin - 1].shape in "tui":
                begin -= 1
            while end < min(len(self.words), at + 4) and self.gaps[end] in (" ", "-") and self.words[end].shape == "i":
                end += 1
            self.claim(begin, end, 0.72, "surname, given name")

    def _turned(self, at: int) -> bool:
        """Whether two words with a comma between them are a surname and a given name."""
        last, first = self.words[at], self.words[at + 1]
        if last.shape == "u" and len(last.lower) < 5 and not last.mark:  # HTN, GERD
            return False
        if last.never or (first.never and first.lower not in NAMES_TOO):
            return False
        if (not last.mark or last.mark in "gG") and (not last.foreign or letters_say(last.lower) < 0):
            return False
        shapes = last.shape + first.shape
        if last.shape == "u" and not self.shouted and len(last.lower) > 3 and self._headed(last, first, at + 1):
            return True
        if shapes == "ti" and (self.dotted_at(at + 1) or last.frequent):  # Delgado, R.
            if DEGREES.match(self.text, self.tokens[at].end):
                return False
            return (last.bare and last.eponym is None) or (last.foreign and letters_say(last.lower) > 0)
        if shapes == "ll":
            return last.bare and first.bare and first.frequent and first.given
        if shapes == "ut" and len(last.lower) > 3 and last.mark:  # DELGADO, Rosa
            misspelt = first.foreign and last.frequent and last.level != "1" and letters_say(first.lower) > -40
            return first.mark in ("G", "B") or misspelt or (first.bare and first.given)
        if shapes not in ("tt", "uu", "tu") or (shapes == "tu" and len(first.lower) < 5 and not first.frequent):
            return False
        if first.bare and first.given:
            return last.level != "1" or shapes == "tt" or (last.frequent and first.frequent)
        often = first.mark in ("G", "B") and first.level in ("3", "4", "c")
        return often and (last.level not in ("1", "2") or (last.frequent and shapes == "uu"))

    def _headed(self, last: Word, first: Word, at: int) -> bool:
        """HUANG, PETER; OKEKE, Chika; LINDHOLM, D: a surname in capitals where others are not."""
        if last.level in ("1", "2", "c") or (last.eponym is False) or (last.foreign and letters_say(last.lower) < 0):
            return False
        if first.shape == "i":
            return last.frequent and not DEGREES.match(self.text, self.tokens[at - 1].end)
        if first.lower in DEGREE_WORDS or first.level in ("1", "c") or first.lower in TITLE_WORDS:
            return False
        if first.shape == "u":
            return len(first.lower) > 2 and (first.given or (first.foreign and letters_say(first.lower) > 40))
        return first.shape == "t" and (first.given or (first.foreign and letters_say(first.lower) > 0))

    def runs(self) -> None:
        """Neighbouring words that are names together, and names that stand alone."""
        past = 0
        for at in self._beginnings():
            if at < past:
                continue
            end = self._stretch(at)
            past = max(end, at + 1)
            if end <= at + 1:
                word = self.words[at]
                if end > at and word.shape != "i" and not word.particle and self._alone(at, word):
                    self.claim(at, end, 0.6, "name by itself")
                continue
            run = self.words[at:end]
            if end == at + 2 and self._eponymous(at):
                continue
            full = [word for word in run if word.shape != "i" and not word.particle]
            if full:
                if self._together(run, full):
                    self.claim(at, end, 0.74, "names side by side")
                else:
                    for here in range(at, end):
                        if self.words[here] in full and self._alone(here, self.words[here]):
                            self.claim(here, here + 1, 0.6, "name by itself")

    def _eponymous(self, at: int) -> bool:
        """Semmes-Weinstein, Charles Bonnet: two names that medicine has joined."""
        first, last = self.words[at], self.words[at + 1]
        if f"{first.lower} {last.lower}" in JOINED:
            return True
        return self.gaps[at + 1] == "-" and (first.eponym is not None or last.eponym is not None)

    def _beginnings(self) -> list[int]:
        """Where a name may begin without any cue."""
        if self.flat:
            return [at for at, word in enumerate(self.words) if word.shape != "d"]
        if not self.shouted:
            return [at for at, word in enumerate(self.words) if word.begins]
        return [
            at
            for at, word in enumerate(self.words)
            if word.begins or word.shape == "t" or (word.shape == "u" and not word.level)
        ]

    def _stretch(self, at: int) -> int:
        """The end of a stretch of words that may be a name without any cue."""
        end = at
        while end < len(self.words) and end - at < 6:
            word = self.words[end]
            if end > at:
                gap = self.gaps[end]
                dotted = gap in (". ", ".") and len(self.words[end - 1].lower) == 1
                if gap not in JOINT and not dotted:
                    break
                if gap != " " and word.lower == "s":
                    break
            surname = end > at and (
                self._surname_after(self.words[end - 1], word)
                or (word.shape == "t" and self.words[end - 1].particle and self.words[end - 1].shape == "l")
            )
            if not surname and not self._possible(end, end > at):
                break
            end += 1
        while end > at and (
            (self.words[end - 1].particle and self.words[end - 1].shape in "li")
            or (self.words[end - 1].shape == "i" and end - at < 3 and not self.dotted_at(end - 1))
        ):
            end -= 1
        return end

    def given_before_name(self, at: int) -> bool:
        """mark cermak: a given name that is a word, and no word after it."""
        word = self.words[at]
        if word.mark not in ("G", "B") or word.never or at + 1 == len(self.words) or self.gaps[at + 1] != " ":
            return False
        after = self.words[at + 1]
        return after.shape == word.shape and (after.bare or (after.foreign and letters_say(after.lower) > 40))

    def _surname_after(self, before: Word, word: Word) -> bool:
        """A capital that no sentence asks for, right after a given name that is no word: Joseph Brown."""
        if word.shape != "t" or self.shouted or not (before.bare and before.mark in ("G", "B")):
            return False
        if word.lower in SUFFIXES or word.lower in VERBS:
            return False
        return not word.never or (word.lower in NAMES_TOO and word.frequent)

    def _possible(self, at: int, inside: bool) -> bool:
        word = self.words[at]
        if word.shape == "i":
            if not inside and self._unit(at):
                return False
            return self.dotted_at(at) or (inside and word.lower not in ("i", "a"))
        if not inside and word.shape == "l" and word.level in ("3", "4") and self.given_before_name(at):
            return True
        if self.flat and not inside and word.foreign and self._before_bin(at):
            return True
        if not inside and word.lower in MONTHS_AND_WILL and self._will_smith(at):
            return True
        if word.shape == "d" or word.never:
            return inside and self.flat and len(word.lower) == 1 and self.dotted_at(at)
        if word.shape == "t" and not self.shouted:
            return bool(word.mark) or (word.foreign and letters_say(word.lower) > -20)
        if inside and (word.particle or (self.flat and len(word.lower) == 1)):
            return True
        if inside and word.frequent and (word.level in ("3", "4", "c") or (self.shouted and self._ends_field(at))):
            before = self.words[at - 1]
            return before.bare and before.mark in ("G", "B") and before.shape == word.shape
        if word.bare:
            return len(word.lower) > 2
        if self.flat and word.foreign and not inside and self.acts(at):
            return letters_say(word.lower) > 20
        strange = word.foreign and (self.shouted or self.flat)
        return strange and letters_say(word.lower) > (70 if self.shouted else 80)

    def _unit(self, at: int) -> bool:
        """on 4 L. Young-appearing; grade I. Toco; 7/10 R. Class: a unit, a side or a grade ends a sentence."""
        if not at or self.gaps[at] not in (" ", "/", "-", "+"):
            return False
        before = self.words[at - 1]
        if before.lower[0].isdigit():
            return not self.opens(at - 1)
        return before.lower in _GRADED or (before.shape == "i" and self.gaps[at] == "/")

    def _ends_field(self, at: int) -> bool:
        """Whether a comma, a full stop or the end follows a word."""
        return at + 1 == len(self.words) or self.gaps[at + 1] != " "

    def _before_bin(self, at: int) -> bool:
        """abdulrahman bin khalid"""
        at += 1
        return at < len(self.words) and self.words[at].lower in ("bin", "bint", "ibn") and self.gaps[at] == " "

    def _will_smith(self, at: int) -> bool:
        """Will, May or June before a surname, in capitals that no sentence asks for."""
        word = self.words[at]
        if word.shape != "t" or self.shouted or self.opens(at) or at + 1 == len(self.words) or self.gaps[at + 1] != " ":
            return False
        after = self.words[at + 1]
        return after.shape == "t" and after.mark in ("S", "B") and not after.never

    def _together(self, run: list[Word], full: list[Word]) -> bool:
        """Whether a stretch of two words and more is a name."""
        weights = [weight(word) for word in full]
        lower = any(word.shape == "l" for word in full)
        if not self.shouted and self._eastern(full):
            return True
        if self.shouted or lower or any(word.shape == "u" for word in full):
            if self.flat and all(word.bare or word.foreign for word in full):
                arabic = any(word.lower in ("bin", "bint", "ibn", "al", "el", "abu") for word in run)
                given = arabic or any(word.given for word in full)
                return given and sum(letters_say(word.lower) for word in full) > 40
            if lower and all(word.bare for word in full) and any(word.given for word in full):
                return sum(letters_say(word.lower) for word in full) > 40
            names = [word for word in full if word.eponym is None]
            return (
                len(names) == len(full)
                and len(names) > 1
                and any(word.given for word in names)
                and any(word.frequent for word in names)
            )
        if len(full) == 1:  # J. Smith
            return weights[0] >= 0.8 or (weights[0] >= 0.4 and run[0].shape == "i")
        if all(word.eponym is not None for word in full):
            return False
        joined = any(word.particle and word.shape == "l" for word in run[1:])
        if joined and all(word.shape == "t" for word in full) and (full[0].bare or full[0].foreign or full[0].given):
            return True
        if len(full) == 2 and self._surname_after(*full):
            return True
        if len(full) == 2 and full[0].mark in ("G", "B") and full[1].frequent and sum(weights) > 1:
            return True
        if all(word.bare or word.foreign for word in full) and sum(letters_say(word.lower) for word in full) > 40:
            return True
        given = full[0].given or full[-1].given
        return sum(weights) >= (1.2 if given else 1.6) and max(weights) >= 0.6

    def _eastern(self, full: list[Word]) -> bool:
        """DELGADO Rosa: a surname in capitals, and a name in title case."""
        if len(full) != 2 or full[0].shape != "u" or full[1].shape != "t" or len(full[0].lower) < 3:
            return False
        if full[0].level or full[1].level in ("1", "2"):
            return False
        return full[0].mark in ("S", "B", "s", "b") or letters_say(full[0].lower) > 40

    def _medical(self, at: int) -> bool:
        """Whether a sign, a test, a dose or a language is named: Homan's sign, Zoloft 25 mg, Khmer speaker."""
        before = self.words[at - 1].lower if at and self.gaps[at] == " " else ""
        after = at + 1
        if after < len(self.words) and self.words[after].lower == "s" and self.gaps[after] in ("'", "’"):
            after += 1
        if before in DRUG_BEFORE or after >= len(self.words):
            return before in DRUG_BEFORE
        gap = self.text[self.tokens[at].end : self.tokens[after].start]
        behind = self.words[after].lower
        if gap.lstrip("'’s") != " ":
            return False
        return behind in MEDICAL_AFTER or behind.isdigit() or (behind in _ROMAN and self.words[after].shape in "ui")

    def _glued(self, at: int) -> bool:
        """A part of an address of the net or of a code."""
        start, end = self.tokens[at][:2]
        return self.text[max(0, start - 1) : start] in _GLUE or self.text[end : end + 1] in ("@", "_")

    def _owns(self, at: int) -> bool:
        """Jack's appointment."""
        after = self.words[at + 1 : at + 3]
        return (
            len(after) == 2
            and after[0].lower == "s"
            and self.gaps[at + 1] in ("'", "’")
            and after[1].lower not in MEDICAL_AFTER
        )

    def _plural(self, word: Word) -> bool:
        """parkinsons: an eponym without its apostrophe."""
        return word.lower.endswith("s") and word.lower[:-1] in eponym_words()

    def _caseless(self, at: int, word: Word, acting: bool, doing: bool) -> bool:
        """The same where capitals do not tell: a name of the lists that is no word is hardly ever anything else, and
        the letters of a word that no list has must speak for a name."""
        given = word.mark in ("G", "B")
        said, size = letters_say(word.lower), len(word.lower)
        if word.level:
            return given and doing and word.level in ("3", "4") and word.shape == "l"
        if word.eponym is not None and not word.given and not acting:
            return False
        cased = not (self.flat or self.shouted)
        if word.foreign:
            least = 0 if self.shouted else 30 if self.flat else 60 if word.shape == "u" else 90
            is_name = size > 4 and said > (min(least, 20) if acting else least)
        elif word.shape == "l" and cased:
            is_name = size > 3 and said > (-30 if given else 0 if word.mark == "S" else 30)
        elif cased:
            is_name = size > 4 or (size == 4 and word.mark in ("B", "S") and said > 40)
        else:
            short = (given and said > (0 if self.flat else 30)) or (
                self.flat and word.given and len(self.text) < _MESSAGE
            )
            is_name = size > 3 or short
        return is_name and not self._medical(at) and not self._glued(at)

    def _alone(self, at: int, word: Word) -> bool:
        """Whether one word is a name although nothing says so."""
        given = word.mark in ("G", "B")
        hopeless = word.lower in countries() or word.eponym is False or len(word.lower) < 3
        if hopeless and word.lower not in NEVER_ALONE:
            return False
        if word.lower in HONORIFICS or word.lower in TITLE_WORDS or (self.flat and self._plural(word)):
            return False
        opening, acting = self.opens(at), self.acts(at)
        doing = acting and self.words[at + 1].lower not in COPULAS
        if word.lower in NEVER_ALONE:
            titled = given and word.shape == "t" and not self.shouted and word.eponym is not False
            return titled and (acting or (not opening and self._owns(at)))
        if self.flat or self.shouted or word.shape in "lu":
            return self._caseless(at, word, acting, doing)
        if word.eponym is not None and not word.given and not acting:
            return False
        if word.bare and not self._medical(at):
            return word.frequent or letters_say(word.lower) > (0 if acting or not opening else 60)
        if word.foreign:
            plain_case = self.text.written[at][1:].islower()
            enough = 100 if opening and not acting else 0
            return plain_case and not self._medical(at) and letters_say(word.lower) > enough
        if given and (word.level in ("3", "4", "c") or (word.level == "2" and not opening)):
            medical = word.eponym is not None and self._medical(at)
            return not medical and not _SCORED.match(self.text, self.tokens[at].end)
        return doing and (word.frequent or (word.given and word.level != "1"))
