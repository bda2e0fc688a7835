"""Names by lists and letters: words side by side that are names, surname and given name, a name that stands alone."""

from __future__ import annotations

import re
from functools import lru_cache

from sharewell.notes.detectors.name_tokens import Word, letters_say, seen, weight
from sharewell.notes.detectors.name_words import (
    COPULAS,
    DEGREES,
    DRUG_BEFORE,
    HONORIFICS,
    JOINT,
    MEDICAL_AFTER,
    MONTHS_AND_WILL,
    NAMES_TOO,
    NEVER_ALONE,
    PARTICLES,
    PERSONAL,
    SUFFIXES,
    VERBS,
)
from sharewell.notes.gazetteer import countries
from sharewell.notes.spans import Span, Text

_SHOUTED = 0.5
_COMMA = re.compile(r",[ ]?(?=[^\W\d_])")
_SCORED = re.compile(r"(?:['’]s)? \d{1,3}(?:/\d|%|-\d{1,2}-\d\b)")
_MESSAGE = 160
"""A shorter text is a message: it names people more often than things that no dictionary has."""
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
        if end - first > 1 and self.words[first].lower in HONORIFICS:
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


class Lists(Reader):
    """The rules that look words up: no word around a name says that it is one."""

    def comma_names(self) -> None:
        """Delgado, Rosa M."""
        for comma in _COMMA.finditer(self.text):
            at = self.starts.get(comma.end(), 0) - 1
            if at < 0 or self.tokens[at].end != comma.start() or not self._turned(at):
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
        if shapes == "ti" and self.dotted_at(at + 1):  # Delgado, R.
            if DEGREES.match(self.text, self.tokens[at].end):
                return False
            return (last.bare and last.eponym is None) or (last.foreign and letters_say(last.lower) > 0)
        if shapes == "ll":
            return last.bare and first.bare and first.frequent and first.given
        if shapes == "ut" and len(last.lower) > 3 and last.mark:  # DELGADO, Rosa
            misspelt = first.foreign and last.frequent and last.level != "1" and letters_say(first.lower) > -40
            return first.mark in ("G", "B") or misspelt or (first.bare and first.given)
        if shapes not in ("tt", "uu", "tu"):
            return False
        if first.bare and first.given:
            return last.level != "1" or shapes == "tt" or (last.frequent and first.frequent)
        often = first.mark in ("G", "B") and first.level in ("3", "4", "c")
        return often and (last.level not in ("1", "2") or (last.frequent and shapes == "uu"))

    def runs(self) -> None:
        """Neighbouring words that are names together, and names that stand alone."""
        cased, past = not (self.flat or self.shouted), 0
        for at in self._beginnings():
            if at < past:
                continue
            shape = self.words[at].shape
            end = at + 1 if shape == "t" and cased and self._single(at) else self._stretch(at)
            past = max(end, at + 1)
            if end <= at + 1:
                word = self.words[at]
                if end > at and shape != "i" and not word.particle and self._alone(at, word):
                    self.claim(at, end, 0.6, "name by itself")
                continue
            run = self.words[at:end]
            full = [word for word in run if word.shape != "i" and not word.particle]
            if full:
                if self._together(run, full):
                    self.claim(at, end, 0.74, "names side by side")
                else:
                    for here in range(at, end):
                        if self.words[here] in full and self._alone(here, self.words[here]):
                            self.claim(here, here + 1, 0.6, "name by itself")

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

    def _single(self, at: int) -> bool:
        """Whether a word in title case that may be a name has an end or a plain word after it: the usual case, told
        quickly."""
        word = self.words[at]
        if at + 1 == len(self.words) or word.never:
            return False
        after = self.words[at + 1]
        if self.gaps[at + 1] in JOINT and (after.shape != "l" or after.particle or after.bare):
            return False
        return bool(word.mark) or (word.foreign and letters_say(word.lower) > -20)

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
        if inside and word.frequent and word.level in ("3", "4", "c"):
            before = self.words[at - 1]
            return before.bare and before.mark in ("G", "B") and before.shape == word.shape
        if word.bare:
            return len(word.lower) > 2
        if self.flat and word.foreign and not inside and self.acts(at):
            return letters_say(word.lower) > 20
        strange = word.foreign and (self.shouted or self.flat)
        return strange and letters_say(word.lower) > (70 if self.shouted else 80)

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
        return gap.lstrip("'’s") == " " and (behind in MEDICAL_AFTER or behind.isdigit())

    def _feels(self, at: int) -> bool:
        """Lily is allergic"""
        return at + 2 < len(self.words) and self.words[at + 2].lower in PERSONAL

    def _owns(self, at: int) -> bool:
        """Jack's appointment."""
        after = self.words[at + 1 : at + 3]
        return (
            len(after) == 2
            and after[0].lower == "s"
            and self.gaps[at + 1] in ("'", "’")
            and after[1].lower not in MEDICAL_AFTER
        )

    def _alone(self, at: int, word: Word) -> bool:
        """Whether one word is a name although nothing says so."""
        given = word.mark in ("G", "B")
        hopeless = word.lower in countries() or word.eponym is False or len(word.lower) < 3
        if hopeless and word.lower not in NEVER_ALONE:
            return False
        opening, acting = self.opens(at), self.acts(at)
        doing = acting and self.words[at + 1].lower not in COPULAS
        if word.lower in NEVER_ALONE:
            titled = given and word.shape == "t" and not self.shouted and word.eponym is not False
            acts = (acting and not opening) or doing or (not opening and self._owns(at)) or (acting and self._feels(at))
            return titled and acts
        if (
            self.flat
            and word.bare
            and (
                (word.given and (letters_say(word.lower) > 0 or acting or given or len(self.text) < _MESSAGE))
                or (word.mark == "S" and len(word.lower) > 3 and letters_say(word.lower) > 20 and word.eponym is None)
            )
        ):
            return not self._medical(at)
        if self.flat and word.foreign and word.shape == "l" and len(word.lower) > 4:
            return letters_say(word.lower) > (20 if acting else 90) and not self._medical(at)
        if word.shape == "l" or self.shouted or word.shape == "u":
            if word.level:
                return given and doing and word.level in ("3", "4") and word.shape == "l"
            if word.foreign:
                return self.shouted and len(word.lower) > 5 and not self._medical(at)
            return (given or (word.given and self.shouted)) and len(word.lower) > 3 and letters_say(word.lower) > -30
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
