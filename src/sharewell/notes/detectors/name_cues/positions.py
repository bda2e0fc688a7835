"""Names by their place in a sentence: after a role, where only a person stands, and what grows on a name once found.

A title-case word after a role ("neighbour Petal"), after a verb or a preposition that has a person beside it ("told
Guy", "spoke w/ Sunny"), and a lower-case word that is a given name where a message names somebody ("ask hope if",
"does ruby still work here") need no list to be names. A name goes on over an initial ("Bob T.", "D Whitcombe"), a
particle ("de Boer"), and to the one it is joined to by "and" or a stroke ("Fay and Miles Hale", "Osei/Lund").
"""

from __future__ import annotations

from sharewell.notes.detectors.name_lists import Lists
from sharewell.notes.detectors.name_tokens import Word, letters_say
from sharewell.notes.detectors.name_words import (
    DEGREE_WORDS,
    HONORIFICS,
    KIN,
    MEDICAL_AFTER,
    NAMES_TOO,
    TITLE_WORDS,
    VERBS,
)
from sharewell.notes.engine.spans import Span
from sharewell.notes.engine.word_lists import lexicon, listed

_ROLES = KIN | lexicon("positions_roles")
"""Words for a person that a name follows at once."""
_TIMES = listed("will may summer autumn winter spring dawn june april august")
_BEFORE_INITIAL = listed("nurse sister rn matron doc patient resident")
_BLOCKED = listed("will may can do so see an in drew use art hung said sing son")
"""Given names that are far more often something else, even after a role."""
_BRANDS = lexicon("positions_brands")
_AND = frozenset(("and", "or"))
_STROKES = frozenset((" & ", "/", " / ", " + "))
_PARTICLES = listed("de da dos das del della di du van von der den ter ten bin ibn al el le la zu ó o ní ni mac nic")
_ANY_INITIAL = frozenset("bcdefghjkmnopstvwyz")
"""Initials that may stand without a dot: r and l are sides, a and i are words."""
_AGES = listed("yr yrs y yo aged age dob pgr pager ext tel ph bleep dect mob room bed")
_SHORT = 240


class Slots(Lists):
    """The rules that look at a word's place."""

    def roles(self) -> None:
        """neighbour Petal, hikers Ned and Flo, foreman Buster."""
        for at in self.text.where(_ROLES):
            here = at + 1
            self._whose_role(at)
            if here + 1 < len(self.words) and self.words[here].lower in ("is", "was") and self.gaps[here] == " ":
                here += 1
            if here >= len(self.words) or self.gaps[here] not in (" ", ": ", ", ", " ("):
                continue
            if (
                self.words[here].lower in HONORIFICS
                and here + 1 < len(self.words)
                and self.words[here + 1].shape == "t"
            ):
                here += 1 if self.gaps[here + 1] in (" ", ". ") else 0
            word, role, gap = self.words[here], self.words[at], self.gaps[at + 1]
            if role.lower == "law" and not (at and self.words[at - 1].lower == "in"):
                continue
            headed = gap == ": " and role.shape == "t" and word.shape == "t" and (word.foreign or word.bare)
            headed = headed or gap == " ("
            if (gap != " " or here > at + 1) and not headed and not (word.mark in ("G", "B") and word.level != "1"):
                continue
            if word.shape == "i" and role.lower in _BEFORE_INITIAL and self.dotted_at(here) and not self.shouted:
                self.found.append(Span(*self.tokens[here][:2], "NAME", 0.62, "after a role"))
            if word.shape == "t" and not self.shouted:
                strange = word.mark or word.level not in ("1", "2", "c")
                is_name = role.shape == "l" or word.given or (role.shape == "t" and strange)
                if (self._fit(here) and (is_name or word.bare)) or (role.shape == "l" and self._nickname(at)):
                    self.claim(here, here + 1, 0.75 if word.level != "1" else 0.72, "after a role")
                    self.sure.add(word.lower)
            elif gap in (" ", ", ") and self._caseless_role(here):
                whole = self._full(here)
                if whole or gap == " ":
                    self.claim(here, here + 1 + whole, 0.7, "after a role")

    def _nickname(self, role: int) -> bool:
        """his cousin Buttons said: a plain word in title case, with nothing but a role to explain its capital."""
        word, last = self.words[role + 1], role + 2 >= len(self.words)
        if self.words[role].lower not in KIN or word.mark or word.level not in ("1", "2", "3") or word.never:
            return False
        return self.gaps[role + 1] == " " and (last or self.gaps[role + 2] != " " or self.words[role + 2].shape in "ld")

    def _whose_role(self, at: int) -> None:
        """lindiwe (niece) at the bedside; Guy, husband of Fay."""
        if not at:
            return
        gap, word = self.gaps[at], self.words[at - 1]
        after = self.text[self.tokens[at].end : self.tokens[at].end + 4]
        if not ((gap == " (" and after[:1] in (")", ",", " ")) or (gap == ", " and after == " of ")):
            return
        low = self.flat and word.shape == "l" and (word.bare or word.foreign)
        if word.never and word.lower not in _TIMES:
            return
        if low or (word.shape == "t" and (word.mark or word.foreign) and not self.shouted and word.level != "c"):
            self.claim(at - 1, at, 0.72, "before a role")

    def _full(self, at: int) -> bool:
        """rose hollis: a given name and a surname, both frequent."""
        if at + 1 == len(self.words) or self.gaps[at + 1] != " ":
            return False
        word, after = self.words[at], self.words[at + 1]
        named = after.mark in ("S", "B") and not after.never and after.lower not in VERBS
        return named and word.mark in ("G", "B") and word.shape == after.shape and len(after.lower) > 3

    def _caseless_role(self, at: int) -> bool:
        """daughter hope, GRANDSON DALE."""
        word = self.words[at]
        if (word.never and word.lower not in _TIMES) or word.lower in VERBS:
            return False
        if word.lower in _BLOCKED or word.lower in _TIMES:
            return self._full(at)
        if word.mark not in ("G", "B") and (word.level or word.eponym is not None or len(word.lower) < 4):
            return False
        if not word.mark and letters_say(word.lower) < 20:
            return False
        return (self.shouted and word.shape == "u") or ((self.flat or len(self.text) < _SHORT) and word.shape == "l")

    def _fit(self, at: int) -> bool:
        """Whether a title-case word may be a name where a name is due."""
        word = self.words[at]
        if word.never and not (word.lower in NAMES_TOO and (word.frequent or word.lower == "boy")):
            return False
        if word.lower in DEGREE_WORDS or word.lower in TITLE_WORDS or word.level == "c" or word.eponym is False:
            return False
        if word.level in ("1", "2") and not word.mark:
            return False
        after = self.words[at + 1].lower if at + 1 < len(self.words) and self.gaps[at + 1] == " " else ""
        return after not in MEDICAL_AFTER and (word.foreign or word.level != "1" or word.given or word.frequent)

    # what grows on a name

    def beside(self) -> None:
        """Initials, particles and partners of what was found."""
        done: set[tuple[int, int]] = set()
        for place, span in enumerate(self.found):
            if span.kind != "NAME" or span.certainty < 0.6 or (span.start, span.end) in done:
                continue
            done.add((span.start, span.end))
            first = self.starts.get(span.start)
            if first is None:
                continue
            last = first
            while last + 1 < len(self.words) and self.tokens[last].end < span.end:
                last += 1
            start, end = self._before(first), self._beyond(first, last)
            if start < first or end > last:
                whole = self.tokens[start].start, self.tokens[end].end
                self.found[place] = Span(*whole, span.kind, span.certainty, span.reason)
            self._partners(start, end)

    def _before(self, first: int) -> int:
        """D Whitcombe, P.-A. Roche, J. de Boer."""
        start = first
        while start and first - start < 4:
            gap, word = self.gaps[start], self.words[start - 1]
            particle = word.lower in _PARTICLES and gap in (" ", "'", "’") and self._particle(start - 1)
            letter = len(word.lower) == 1 and word.lower.isalpha()
            if not particle and not (letter and self._initial(start - 1, gap, self.words[first])):
                break
            start -= 1
        while start < first and self.words[start].shape == "l" and self.words[start].lower in ("o", "la", "ten", "al"):
            start += 1
        return start

    def _particle(self, at: int) -> bool:
        """de and van hardly stand elsewhere; ten, la and al want an initial before them."""
        if self.words[at].lower not in ("ten", "la", "al", "o", "le", "ni", "el", "da", "den", "du", "di"):
            return self.words[at].shape != "u" or self.shouted
        if self.words[at].lower == "o" and self.words[at].shape != "i":
            return False
        return at > 0 and len(self.words[at - 1].lower) == 1 and self.gaps[at] in (". ", " ")

    def _initial(self, at: int, gap: str, name: Word) -> bool:
        word = self.words[at]
        if not (name.mark or name.foreign) or (word.shape == "l" and not self.flat):
            return False
        if gap in (". ", ".", ".-"):
            start = self.tokens[at].start
            before = self.text[max(0, start - 1) : start]
            return not before.isalnum() and before not in ("/", "%") and not (at and self.words[at - 1].shape == "d")
        if gap != " " or word.shape != "i" or self.shouted or word.lower not in _ANY_INITIAL:
            return False
        alone = at == 0 or self.gaps[at] not in (" ", "/") or (self.words[at - 1].shape == "l" and self.gaps[at] == " ")
        return name.shape == "t" and bool(name.mark) and alone

    def _beyond(self, first: int, last: int) -> int:
        """Bob T., ravi d., amina bello-stone in a note without capitals."""
        here = last + 1
        if here == len(self.words):
            return last
        word, gap, name = self.words[here], self.gaps[here], self.words[last]
        if self.flat and gap == "-" and word.shape == "l" and (word.mark or word.foreign) and not name.never:
            return here
        if gap != " " or len(word.lower) != 1 or not word.lower.isalpha() or len(name.lower) < 3:
            return last
        after = self.text[self.tokens[here].end : self.tokens[here].end + 1]
        lower = word.shape == "l"
        if lower and (not self.flat or word.lower in "aio") and after != ".":
            return last
        if after == "." and (not lower or self.flat):
            return here
        closed = after in ("", ",", ";", "\n", ")", ":", "|", "\t") or self._goes_on(here, after)
        return here if closed and (lower or word.lower in _ANY_INITIAL) else last

    def _goes_on(self, at: int, after: str) -> bool:
        """Yates R is, Okafor P yr 5, Ingram F / 32: what follows an initial is a verb, an age, or another field."""
        if self.words[at].shape != "i" or self.shouted or at + 1 == len(self.words):
            return False
        gap = self.gaps[at + 1]
        if gap in (" / ", " — ", " – ", " - ") or gap.startswith(("  ", "\t")):
            return True
        if gap == " " and self.words[at - 1].bare and self.words[at].lower in _ANY_INITIAL:
            return self.words[at + 1].shape in "lu"
        return gap == " " and self.words[at + 1].lower in _AGES

    def _partners(self, first: int, last: int) -> None:
        """Fay and Miles Hale; Osei/Lund."""
        count = len(self.words)
        here = last + 1
        if here < count and self.words[here].lower in _AND and here + 1 < count and self.gaps[here + 1] == " ":
            if self.gaps[here] == " ":
                self._partner(here + 1, last, True)
        elif here < count and self.gaps[here] in _STROKES:
            self._partner(here, last, self.gaps[here] == " & ")
        here = first - 1
        if here > 0 and self.words[here].lower in _AND and self.gaps[first] == self.gaps[here] == " ":
            self._partner(here - 1, first, True)
        elif here >= 0 and self.gaps[first] in _STROKES:
            self._partner(here, first, self.gaps[first] == " & ")

    def _partner(self, at: int, of: int, joined: bool) -> None:
        word, other = self.words[at], self.words[of]
        if word.shape == "t" == other.shape and not self.shouted:
            telling = (bool(word.mark) and word.level not in ("1", "2")) or word.given or letters_say(word.lower) > 40
            if telling and self._fit(at) and word.lower not in _BRANDS:
                self.found.append(Span(*self.tokens[at][:2], "NAME", 0.62, "beside a name"))
                self.sure.add(word.lower)
            return
        spoken = joined and word.shape == other.shape == "l" and (self.flat or len(self.text) < _SHORT)
        if spoken and word.given and word.level != "1" and not word.never:
            self.found.append(Span(*self.tokens[at][:2], "NAME", 0.62, "beside a name"))
