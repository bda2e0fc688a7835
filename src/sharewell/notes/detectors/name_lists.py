"""Names by lists and letters: words side by side that are names, surname and given name, a name that stands alone."""

from __future__ import annotations

import re

from sharewell.notes.detectors.name_tokens import Word, letters_say, shown, weight
from sharewell.notes.detectors.name_words import (
    COPULAS,
    DEGREES,
    DRUG_BEFORE,
    HONORIFICS,
    JOINT,
    MEDICAL_AFTER,
    MONTHS_AND_WILL,
    NAMES_TOO,
    NEVER,
    NEVER_ALONE,
    PARTICLES,
    PERSONAL,
    SUFFIXES,
    VERBS,
)
from sharewell.notes.gazetteer import countries
from sharewell.notes.lexicons import eponyms
from sharewell.notes.spans import Span, Text

_SHOUTED = 0.5
_COMMON = frozenset(("1", "2", "c"))
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
        make = tuple.__new__  # quicker than Word(…)
        self.words = [make(Word, (start, end, *shown(text[start:end]))) for start, end, _ in text.tokens]
        self.starts = text.starts
        self.found: list[Span] = []
        self.sure: set[str] = set()
        self.taken: set[int] = set()

    def gap(self, at: int) -> str:
        """What stands before a word, after the one before it."""
        return self.text[self.words[at - 1].end : self.words[at].start]

    def claim(self, first: int, end: int, certainty: float, reason: str) -> None:
        """Words from first to before end are a name; those that tell by themselves are looked for elsewhere."""
        while end - 1 > first and self.words[end - 1].shape == "l" and self.words[end - 1].lower in _TRAILING:
            end -= 1
        if end - first > 1 and self.words[first].lower in HONORIFICS:
            first += 1
        self.found.append(Span(self.words[first].start, self.words[end - 1].end, "NAME", certainty, reason))
        if certainty >= 0.7:
            self.taken.update(range(first, end))
            for word in self.words[first:end]:
                telling = word.level != "1" or bool(word.mark)
                if len(word.lower) > 2 and telling and word.lower not in NEVER and word.lower not in PARTICLES:
                    self.sure.add(word.lower)

    def dotted_at(self, at: int) -> bool:
        end = self.words[at].end
        return self.text[end : end + 1] == "."

    def acts(self, at: int) -> bool:
        """Whether a verb follows that has a person before it."""
        return at + 1 < len(self.words) and self.gap(at + 1) == " " and self.words[at + 1].lower in VERBS

    def opens(self, at: int) -> bool:
        before = self.text[max(0, self.words[at].start - 3) : self.words[at].start]
        return at == 0 or bool(_SENTENCE_END.search(before))


class Lists(Reader):
    """The rules that look words up: no word around a name says that it is one."""

    def comma_names(self) -> None:
        """Delgado, Rosa M."""
        for comma in _COMMA.finditer(self.text):
            at = self.starts.get(comma.end(), 0) - 1
            if at < 0 or self.words[at].end != comma.start() or not self._turned(self.words[at], self.words[at + 1]):
                continue
            begin, end = at, at + 2
            while begin > 0 and self.gap(begin) in ("-", "'", "’") and self.words[begin - 1].shape in "tui":
                begin -= 1
            while end < min(len(self.words), at + 4) and self.gap(end) in (" ", "-") and self.words[end].shape == "i":
                end += 1
            self.claim(begin, end, 0.72, "surname, given name")

    def _turned(self, last: Word, first: Word) -> bool:
        """Whether two words with a comma between them are a surname and a given name."""
        if last.shape == "u" and len(last.lower) < 5 and not last.mark:  # HTN, GERD
            return False
        if last.lower in NEVER or (first.lower in NEVER and first.lower not in NAMES_TOO):
            return False
        if (not last.mark or last.mark in "gG") and (not last.foreign or letters_say(last) < 0):
            return False
        shapes = last.shape + first.shape
        if shapes == "ti" and self.dotted_at(self.starts[first.start]):  # Delgado, R.
            if DEGREES.match(self.text, last.end):
                return False
            return (last.bare and last.lower not in eponyms()) or (last.foreign and letters_say(last) > 0)
        if shapes == "ll":
            return last.bare and first.bare and first.frequent and first.given
        if shapes == "ut" and len(last.lower) > 3 and last.mark:  # DELGADO, Rosa
            misspelt = first.foreign and last.frequent and last.level != "1" and letters_say(first) > -40
            return first.mark in ("G", "B") or misspelt or (first.bare and first.given)
        if shapes not in ("tt", "uu", "tu"):
            return False
        if first.bare and first.given:
            return last.level != "1" or shapes == "tt" or (last.frequent and first.frequent)
        often = first.mark in ("G", "B") and first.level in ("3", "4", "c")
        return often and (last.level not in ("1", "2") or (last.frequent and shapes == "uu"))

    def runs(self) -> None:
        """Neighbouring words that are names together, and names that stand alone."""
        flat, shouted, past = self.flat, self.shouted, 0
        for at, (_, _, _, shape, mark, level) in enumerate(self.words):
            if at < past or shape == "d" or (shape == "l" and not flat and (not mark or level in _COMMON)):
                continue
            if not flat and (
                (shape == "t" and level and not mark and not shouted)
                or (shape == "u" and (level or not (mark or shouted)))
            ):
                continue  # no name begins with it
            end = at + 1 if shape == "t" and not (flat or shouted) and self._single(at) else self._stretch(at)
            past = max(end, at + 1)
            run = self.words[at:end]
            full = [word for word in run if word.shape not in "i" and word.lower not in PARTICLES]
            if len(full) > 1 or (full and len(run) > 1):
                if self._together(run, full):
                    self.claim(at, end, 0.74, "names side by side")
                else:
                    for here in range(at, end):
                        if self.words[here] in full and self._alone(here, self.words[here]):
                            self.claim(here, here + 1, 0.6, "name by itself")
            elif full and self._alone(at, full[0]):
                self.claim(at, end, 0.6, "name by itself")

    def _single(self, at: int) -> bool:
        """Whether a word in title case that may be a name has a plain word after it: the usual case, told quickly."""
        if at + 1 == len(self.words) or self.words[at].lower in NEVER:
            return False
        _, _, after, shape, mark, level = self.words[at + 1]
        if shape != "l" or after in PARTICLES or (mark and not level):
            return False
        return bool(self.words[at].mark) or (self.words[at].foreign and letters_say(self.words[at]) > -20)

    def _stretch(self, at: int) -> int:
        """The end of a stretch of words that may be a name without any cue."""
        end = at
        while end < len(self.words) and end - at < 6:
            word = self.words[end]
            if end > at:
                gap = self.gap(end)
                dotted = gap in (". ", ".") and len(self.words[end - 1].lower) == 1
                if gap not in JOINT and not dotted:
                    break
                if gap != " " and word.lower == "s":
                    break
            surname = end > at and (
                self._surname_after(self.words[end - 1], word)
                or (word.shape == "t" and self.words[end - 1].lower in PARTICLES and self.words[end - 1].shape == "l")
            )
            if not surname and not self._possible(word, end > at):
                break
            end += 1
        while end > at and (
            (self.words[end - 1].lower in PARTICLES and self.words[end - 1].shape in "li")
            or (self.words[end - 1].shape == "i" and end - at < 3 and not self.dotted_at(end - 1))
        ):
            end -= 1
        return end

    def given_before_name(self, at: int) -> bool:
        """mark cermak: a given name that is a word, and no word after it."""
        word = self.words[at]
        if word.mark not in ("G", "B") or word.lower in NEVER or at + 1 == len(self.words) or self.gap(at + 1) != " ":
            return False
        after = self.words[at + 1]
        return after.shape == word.shape and (after.bare or (after.foreign and letters_say(after) > 40))

    def _surname_after(self, before: Word, word: Word) -> bool:
        """A capital that no sentence asks for, right after a given name that is no word: Joseph Brown."""
        if word.shape != "t" or self.shouted or not (before.bare and before.mark in ("G", "B")):
            return False
        if word.lower in SUFFIXES or word.lower in VERBS:
            return False
        return word.lower not in NEVER or (word.lower in NAMES_TOO and word.frequent)

    def _possible(self, word: Word, inside: bool) -> bool:
        if word.shape == "i":
            dotted = self.dotted_at(self.starts[word.start])
            return dotted or (inside and word.lower not in ("i", "a"))
        if (
            not inside
            and word.shape == "l"
            and word.level in ("3", "4")
            and self.given_before_name(self.starts[word.start])
        ):
            return True
        if self.flat and not inside and word.foreign and self._before_bin(word):
            return True
        if not inside and word.lower in MONTHS_AND_WILL and self._will_smith(word):
            return True
        if word.shape == "d" or word.lower in NEVER:
            return inside and self.flat and len(word.lower) == 1 and self.dotted_at(self.starts[word.start])
        if word.shape == "t" and not self.shouted:
            return bool(word.mark) or (word.foreign and letters_say(word) > -20)
        if inside and (word.lower in PARTICLES or (self.flat and len(word.lower) == 1)):
            return True
        if inside and word.frequent and word.level in ("3", "4", "c"):
            before = self.words[self.starts[word.start] - 1]
            return before.bare and before.mark in ("G", "B") and before.shape == word.shape
        if word.bare:
            return len(word.lower) > 2
        if self.flat and word.foreign and not inside and self.acts(self.starts[word.start]):
            return letters_say(word) > 20
        strange = word.foreign and (self.shouted or self.flat)
        return strange and letters_say(word) > (70 if self.shouted else 80)

    def _before_bin(self, word: Word) -> bool:
        """abdulrahman bin khalid"""
        at = self.starts[word.start] + 1
        return at < len(self.words) and self.words[at].lower in ("bin", "bint", "ibn") and self.gap(at) == " "

    def _will_smith(self, word: Word) -> bool:
        """Will, May or June before a surname, in capitals that no sentence asks for."""
        at = self.starts[word.start]
        if word.shape != "t" or self.shouted or self.opens(at) or at + 1 == len(self.words) or self.gap(at + 1) != " ":
            return False
        after = self.words[at + 1]
        return after.shape == "t" and after.mark in ("S", "B") and after.lower not in NEVER

    def _together(self, run: list[Word], full: list[Word]) -> bool:
        """Whether a stretch of two words and more is a name."""
        weights = [weight(word) for word in full]
        lower = any(word.shape == "l" for word in full)
        if not self.shouted and self._eastern(full):
            return True
        if self.shouted or lower or any(word.shape == "u" for word in full):
            if self.flat and all(word.bare or word.foreign for word in full):
                arabic = any(word.lower in ("bin", "bint", "ibn", "al", "el", "abu") for word in run)
                return (any(word.given for word in full) or arabic) and sum(letters_say(word) for word in full) > 40
            names = [word for word in full if word.lower not in eponyms()]
            return (
                len(names) == len(full)
                and len(names) > 1
                and any(word.given for word in names)
                and any(word.frequent for word in names)
            )
        if len(full) == 1:  # J. Smith
            return weights[0] >= 0.8 or (weights[0] >= 0.4 and run[0].shape == "i")
        if all(word.lower in eponyms() for word in full):
            return False
        joined = any(word.lower in PARTICLES and word.shape == "l" for word in run[1:])
        if joined and all(word.shape == "t" for word in full) and (full[0].bare or full[0].foreign or full[0].given):
            return True
        if len(full) == 2 and self._surname_after(*full):
            return True
        if len(full) == 2 and full[0].mark in ("G", "B") and full[1].frequent and sum(weights) > 1:
            return True
        if all(word.bare or word.foreign for word in full) and sum(letters_say(word) for word in full) > 40:
            return True
        given = full[0].given or full[-1].given
        return sum(weights) >= (1.2 if given else 1.6) and max(weights) >= 0.6

    def _eastern(self, full: list[Word]) -> bool:
        """DELGADO Rosa: a surname in capitals, and a name in title case."""
        if len(full) != 2 or full[0].shape != "u" or full[1].shape != "t" or len(full[0].lower) < 3:
            return False
        if full[0].level or full[1].level in ("1", "2"):
            return False
        return full[0].mark in ("S", "B", "s", "b") or letters_say(full[0]) > 40

    def _medical(self, at: int) -> bool:
        """Whether a sign, a test, a dose or a language is named: Homan's sign, Zoloft 25 mg, Khmer speaker."""
        after = self.words[at + 1 : at + 4]
        if after and after[0].lower == "s" and self.gap(at + 1) in ("'", "’"):
            after = after[1:]
        before = self.words[at - 1].lower if at and self.gap(at) == " " else ""
        if before in DRUG_BEFORE or not after or "\n" in self.text[self.words[at].end : after[0].start]:
            return before in DRUG_BEFORE
        gap = self.text[self.words[at].end : after[0].start].lstrip("'’s")
        return gap == " " and (after[0].lower in MEDICAL_AFTER or after[0].lower.isdigit())

    def _feels(self, at: int) -> bool:
        """Lily is allergic"""
        return at + 2 < len(self.words) and self.words[at + 2].lower in PERSONAL

    def _owns(self, at: int) -> bool:
        """Jack's appointment."""
        after = self.words[at + 1 : at + 3]
        return (
            len(after) == 2
            and after[0].lower == "s"
            and self.gap(at + 1) in ("'", "’")
            and after[1].lower not in MEDICAL_AFTER
        )

    def _alone(self, at: int, word: Word) -> bool:
        """Whether one word is a name although nothing says so."""
        given = word.mark in ("G", "B")
        opening, acting = self.opens(at), self.acts(at)
        doing = acting and self.words[at + 1].lower not in COPULAS
        if word.lower in NEVER_ALONE:
            titled = given and word.shape == "t" and not self.shouted and eponyms().get(word.lower, True)
            acts = (acting and not opening) or doing or (not opening and self._owns(at)) or (acting and self._feels(at))
            return titled and acts
        if word.lower in countries() or not eponyms().get(word.lower, True) or len(word.lower) < 3:
            return False
        if (
            self.flat
            and word.bare
            and (
                (word.given and (letters_say(word) > 0 or acting or given or len(self.text) < _MESSAGE))
                or (word.mark == "S" and len(word.lower) > 3 and letters_say(word) > 20 and word.lower not in eponyms())
            )
        ):
            return not self._medical(at)
        if self.flat and word.foreign and word.shape == "l" and len(word.lower) > 4:
            return letters_say(word) > (20 if acting else 90) and not self._medical(at)
        if word.shape == "l" or self.shouted or word.shape == "u":
            if word.level:
                return given and doing and word.level in ("3", "4") and word.shape == "l"
            if word.foreign:
                return self.shouted and len(word.lower) > 5 and not self._medical(at)
            return (given or (word.given and self.shouted)) and len(word.lower) > 3 and letters_say(word) > -30
        if word.lower in eponyms() and not word.given and not acting:
            return False
        if word.bare and not self._medical(at):
            return word.frequent or letters_say(word) > (0 if acting or not opening else 60)
        if word.foreign:
            plain_case = self.text[word.start + 1 : word.end].islower()
            return plain_case and not self._medical(at) and letters_say(word) > (100 if opening and not acting else 0)
        if given and (word.level in ("3", "4", "c") or (word.level == "2" and not opening)):
            return not _SCORED.match(self.text, word.end) and not (word.lower in eponyms() and self._medical(at))
        return doing and (word.frequent or (word.given and word.level != "1"))
