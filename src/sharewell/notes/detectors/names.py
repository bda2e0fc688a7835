"""Names of people: by the words around them, by lists, by their letters, and by being named elsewhere in the note.

Words around a name are the strongest sign: a title ("Dr. Brown"), a header ("Attending: …"), a degree after it
("…, RN"), kin and doings ("her son …", "seen by …"). Without them two words that are names count together ("Rosa
Delgado", "Delgado, Rosa M."), and one alone only if it is a name and no word of English or of the clinic, and no
eponym. A name found by a strong sign is found again wherever it stands in the same note. Capitals help where the note
uses them; a note in capitals or in lower case is read by lists alone.

Not found: a word of English as a name with nothing around it ("hall" for Hall), and initials without a cue.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from sharewell.io.compiled_patterns import compiled
from sharewell.notes.detectors.name_cues.positions import Slots
from sharewell.notes.detectors.name_tokens import letters_say, weight
from sharewell.notes.detectors.name_words import (
    ABBREVIATIONS_TOO,
    DEGREE_WORDS,
    DEGREES,
    JOINT,
    KIN,
    MEDICAL_AFTER,
    NAMED,
    NAMED_WORDS,
    NAMES_TOO,
    NEAR,
    NEAR_WORDS,
    PARTICLES,
    STAFF,
    SUFFIXES,
    TITLE,
    TITLE_WORDS,
    VERBS,
    headers,
)
from sharewell.notes.engine.gazetteer import places
from sharewell.notes.engine.lexicons import words
from sharewell.notes.engine.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_STATES_TOO = frozenset(("ma", "md", "pa", "ms", "nd", "ct", "ia", "or", "ok", "me", "mt", "do"))
"""Degrees that are states as well."""
_NO_BEGINNING = PARTICLES - {"mc", "o", "d", "st", "al", "el", "la", "de"}
_STREET = compiled(
    r"\d ([nsew]\.? )?([a-z][\w'’-]+ ){0,2}(?!by |per |with |to |see |from |and |dear |for |of )[a-z][\w'’-]+ $",
    re.IGNORECASE,
)


class Names:
    """Finds names of people."""

    name: ClassVar[str] = "names"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        return _Cues(text).spans() if text.tokens else []


class _Cues(Slots):
    """The rules in order of their strength; those by lists are in `Lists`, those by place in `Slots`."""

    def spans(self) -> list[Span]:
        self._after(headers(self.text), 0.93, strong=True, reason="after a header")
        self._after(self.text.cued(NAMED, NAMED_WORDS), 0.9, strong=True, reason="after a word for name", told=True)
        self._titles()
        self._degrees()
        self._after(self.text.cued(NEAR, NEAR_WORDS), 0.8, strong=False, reason="after words about a person")
        self.comma_names()
        self.runs()
        self.roles()
        self.beside()
        self._again()
        return self.found

    # by the words around

    def _after(
        self, cues: Iterable[re.Match[str]], certainty: float, strong: bool, reason: str, told: bool = False
    ) -> None:
        for match in cues:
            at = self.starts.get(match.end())
            if at is None:
                continue
            end = self._run(at, strong, header=strong, title=told and not self.opens(at))
            if end > at:
                self.claim(at, end, certainty, reason)

    def _titles(self) -> None:
        for match in self.text.cued(TITLE, TITLE_WORDS):
            at = self.starts.get(match.end())
            said = self.text[slice(*match.span("title"))]
            if (
                at is None
                or (said == "MS" and not self.shouted)
                or (said == "MR" and not self.shouted and not self._bears(at))
                or (said == "MR" and self.words[at].level in ("c", "1", "2") and not self.words[at].frequent)
                or (said.lower() in ("miss", "sir", "hon", "judge") and self.words[at].shape == "l")
                or (said.lower() in ("fr", "bro", "pani", "dra") and self._no_title(at))
            ):
                continue
            if said.lower() == "dr" and self._drive(at):
                continue
            if self._ended(match, said):
                continue
            end = self._run(at, True, title=True)
            while end > at:
                self.claim(at, end, 0.94, "after a title")
                joined = (
                    end < len(self.words)
                    and match["title"].endswith("s")
                    and self.gaps[end] in (", ", " and ", ", and ")
                )
                at = end + (end < len(self.words) and self.words[end].lower == "and")
                end = self._run(at, True) if joined and at < len(self.words) else at

    def _ended(self, match: re.Match[str], said: str) -> bool:
        """rides with the deputy. Consent given; 0.4 ms. P waves: a sentence ends with a word, or with a unit."""
        before = self.text[max(0, match.start() - 2) : match.start()]
        if said == "ms" and before.strip().isdigit():
            return True
        return said.islower() and len(said) > 4 and self.text[match.end("title") : match.end("title") + 1] == "."

    def _bears(self, at: int) -> bool:
        """MR is a valve that leaks unless a name in capitals follows, or one that is no word."""
        return self.words[at].shape in "ui" or (self.words[at].bare and self.words[at].shape == "t")

    def _no_title(self, at: int) -> bool:
        """6 Fr sheath: a size."""
        sized = at > 1 and self.words[at - 2].shape == "d"
        return sized or self.words[at].shape != "t" or self.words[at - 1].shape != "t"

    def _drive(self, at: int) -> bool:
        """12 Willow Dr Boston: a street."""
        title = self.tokens[at - 1].start
        return bool(_STREET.search(self.text[max(0, title - 40) : title]))

    def _degrees(self) -> None:
        for degree_at in self.text.where(DEGREE_WORDS):
            at = degree_at - 1
            if at < 0:
                continue
            match = DEGREES.match(self.text, self.tokens[at].end)
            if match is None:
                continue
            first = at + 1
            while first > 0 and at - first < 4 and self._back(first - 1, at):
                first -= 1
            while first <= at and (self.words[first].shape == "l" or self.words[first].lower in _NO_BEGINNING):
                first += 1
            run = self.words[first : at + 1]
            degree, comma = match[0].strip(" ,.()").lower(), "," in match["gap"]
            if degree in SUFFIXES and len(run) < 2:
                continue
            if run and run[-1].shape == "l" and run[-1].level in ("1", "2") and not self.flat:  # R main PA
                continue
            if degree in ABBREVIATIONS_TOO and not comma and not any(word.bare for word in run):
                continue
            if any(word.mark or word.foreign for word in run) and not all(word.shape == "i" for word in run):
                weak = len(run) == 1 and not (run[0].bare or run[0].foreign)
                town = comma and degree in _STATES_TOO and run[-1].lower in places()  # Boston, MA
                if comma or not weak:
                    self.claim(first, at + 1, 0.55 if town else 0.7 if weak else 0.9, "before a degree")

    def _back(self, at: int, last: int) -> bool:
        """Whether a name that ends at `last` goes on backwards to a word."""
        word = self.words[at]
        if at < last and self.gaps[at + 1] not in JOINT and not (word.shape == "i" and self.gaps[at + 1] == ". "):
            return False
        if word.never:
            return False
        if word.shape == "l":
            return word.particle and at < last
        if word.shape == "u" and not (word.bare or word.foreign or self.words[last].shape == "u"):
            return False
        return word.shape in "tui" and (word.shape == "i" or bool(word.mark) or word.foreign)

    def _run(self, at: int, strong: bool, header: bool = False, title: bool = False) -> int:
        """The place after the last word of a name that begins at a word; `at` if none does."""
        end, comma = at, False
        while end < len(self.words) and end - at < 6:
            if end > at and header and not comma and self.gaps[end] in (", ", ","):
                if not self._given_after_comma(at, end):
                    break
                comma = True
                end += 1
                continue
            if end > at and not self._joined(at, end):
                break
            if not self._fits(end, strong, end > at) and not self._lifted(at, end, title or header, title):
                break
            end += 1
        return self._trim(at, end, strong, header)

    def _joined(self, at: int, here: int) -> bool:
        """Whether a name goes on over what stands before a word: a blank, a dash, an initial's dot, a wrapped line."""
        word, before, gap = self.words[here], self.words[here - 1], self.gaps[here]
        if word.lower == "s" and gap in ("'", "’"):
            return False
        if gap in JOINT or (gap in (". ", ", ") and word.lower in SUFFIXES):
            return True
        if gap in (". ", ".") and before.shape in ("i" if self.shouted else "iu") and len(before.lower) < 3:
            return True
        return gap == "\n" and here == at + 1 and before.given and word.bare and word.shape == before.shape

    def _given_after_comma(self, at: int, here: int) -> bool:
        """Delgado, Rosa: whether a given name follows, and no degree."""
        word, last = self.words[here], self.words[at]
        if here - at > 3 or word.lower in SUFFIXES or DEGREES.match(self.text, self.tokens[here - 1].end):
            return False
        if word.never and word.lower not in NAMES_TOO and word.shape != "i":
            return False
        if word.mark in ("G", "B") and last.mark and word.shape[0] == last.shape[0]:
            return True
        fits = word.shape in "tui" and self._fits(here, True, True)
        return fits and (word.given or word.shape == "i" or bool(last.mark) or word.foreign)

    def _lifted(self, at: int, here: int, sure: bool, title: bool) -> bool:
        """A word that is a name by its neighbours: Dr. Strange; dr brown; mark cermak; jessica bishop."""
        word = self.words[here]
        if title and here == at and word.shape == "t" and self._civil_title(at):  # Mr. Line, Mrs. Case
            return True
        if word.lower in VERBS or (word.never and word.lower not in NAMES_TOO):
            return False
        if title and word.shape == "t" and not self.shouted and (here == at or (here == at + 1 and word.level != "1")):
            return True
        if here == at:
            return (sure and word.frequent and word.shape in "lu") or self.given_before_name(here)
        first = self.words[at]
        if here == at + 1 and self._surname_after(first, word):
            return True
        same = here == at + 1 and word.frequent and word.shape == first.shape and first.given
        return same and (first.bare or sure)

    def _civil_title(self, at: int) -> bool:
        """Do Mr., Mrs. or Ms. with a full stop stand before a word? What follows them is a name, whatever the word."""
        return at > 0 and self.words[at - 1].lower in ("mr", "mrs", "ms", "mx") and self.gaps[at] == ". "

    def _fits(self, at: int, strong: bool, inside: bool) -> bool:
        """Whether a word may be a part of a name after a cue."""
        word = self.words[at]
        if self.shouted and word.shape == "u" and word.frequent and not inside and at:
            staff = self.words[at - 1].lower in STAFF and self.gaps[at] == " "
            if staff:
                return True
        if word.never or word.shape == "d":
            if word.lower in NAMES_TOO and strong and word.shape in "tu" and word.frequent:
                return True
            return inside and word.particle and word.shape != "d" and word.lower not in ("st", "no")
        if word.shape == "l" or (self.shouted and word.shape in "ui"):
            if word.particle and (inside or word.lower in ("de", "van", "von", "del", "la", "al", "el", "mc", "o")):
                return True
            if len(word.lower) < 2:
                return self.shouted and word.shape == "i"
            if word.level and not (
                (strong and not inside and word.mark and word.level != "1") or (word.frequent and word.level in "34c")
            ):
                return strong and not inside and word.frequent and word.shape == "u"
            return (
                bool(word.mark)
                if not strong
                else word.bare or bool(word.mark) or (word.foreign and letters_say(word.lower) > 0)
            )
        if word.shape == "i":
            return inside or strong
        if word.shape == "u":
            if strong and not word.mark and len(word.lower) < 5 and not self.shouted:  # Patient: HTN, GERD
                return False
            if strong:
                return word.level not in ("1", "2") or bool(word.mark)
            return word.bare and len(word.lower) > 3
        if strong:
            return bool(word.mark) or not word.level
        return (bool(word.mark) and not word.never) or (word.foreign and letters_say(word.lower) > 0)

    def _trim(self, at: int, end: int, strong: bool, header: bool) -> int:
        """Gives up what cannot stand: particles at the end, a lone initial, a weak cue before plain words."""
        while (
            end > at
            and self.words[end - 1].shape == "l"
            and self.words[end - 1].particle
            and not self.words[end - 1].bare
        ):
            end -= 1
        run = self.words[at:end]
        lone = bool(run) and all(word.shape == "i" for word in run)
        if not run or (lone and not strong):
            return at
        if strong:
            doubtful = header and len(run) == 1 and run[0].level in ("1", "2") and not run[0].frequent
            return at if doubtful else end
        if end < len(self.words) and self.words[end].lower in MEDICAL_AFTER and self.gaps[end] == " ":
            return at  # per Barrett protocol
        if len(run) == 1:
            word = run[0]
            if word.shape == "l" or self.shouted:
                near = at > 0 and self.words[at - 1].lower in KIN
                is_name = word.frequent or self.flat or (near and (word.given or letters_say(word.lower) > 20))
                known = word.bare and is_name and len(word.lower) > (2 if self.flat else 3)
                known = known or (near and word.given and word.level == "4" and not word.never)
                unknown = self.flat and word.foreign and letters_say(word.lower) > 20
                staff = self.shouted and word.frequent and at > 0 and self.words[at - 1].lower in STAFF
                return end if (known and word.eponym is None) or unknown or staff else at
            if word.mark in ("G", "B") and at > 0 and self.words[at - 1].lower in KIN:
                return end
            ok = (word.bare and word.eponym is None) or (word.frequent and word.level != "1" and word.eponym is None)
            ok = ok or (word.frequent and not self.opens(at) and word.eponym is not False)
            return end if ok or (word.foreign and letters_say(word.lower) > 40) else at
        named = run[0].mark in ("G", "B") and run[-1].mark in ("S", "B") and all(word.shape == "t" for word in run)
        return end if named or sum(weight(word) for word in run) >= 1.2 else at

    # elsewhere in the note

    def _does(self, at: int) -> bool:
        """Rose knows: a word in title case, and a verb that English builds with an s."""
        if self.words[at].shape != "t" or at + 1 == len(self.words) or self.gaps[at + 1] != " ":
            return False
        after = self.words[at + 1]
        return after.shape == "l" and after.lower.endswith("s") and words().get(after.lower[:-1], "9") < "3"

    def _still(self, at: int) -> bool:
        """Rose called, Rose's letter, Fern up: a word of English that is a name of the note."""
        word = self.words[at]
        owns = word.shape == "t" and at + 1 < len(self.words) and self.words[at + 1].lower == "s" and self._owns(at)
        seldom = word.shape == "t" and word.mark in ("G", "B") and word.level != "1" and not word.never
        return self.acts(at) or self._does(at) or owns or seldom or self._did(at)

    def _did(self, at: int) -> bool:
        """Black closed, Hunter had: a word in title case and what somebody did."""
        if self.words[at].shape != "t" or at + 1 == len(self.words) or self.gaps[at + 1] != " ":
            return False
        after = self.words[at + 1]
        did = after.lower.endswith("ed") and words().get(after.lower, "9") < "4"
        return after.shape == "l" and (did or after.lower in ("had", "will", "has", "is", "was"))

    def _other(self, at: int) -> bool:
        """The same letters as a name, and something else: Barrett protocol, a small lance, GERD."""
        word = self.words[at]
        if word.lower in TITLE_WORDS or (
            word.shape == "u" and not self.shouted and len(word.lower) < 5 and not word.mark
        ):
            return True
        if word.shape == "l" and not self.flat and (word.level or not word.mark):
            return True
        after = self.words[at + 1].lower if at + 1 < len(self.words) and self.gaps[at + 1] == " " else ""
        return after in MEDICAL_AFTER and (word.eponym is not None or bool(word.level))

    def _again(self) -> None:
        """Names found by a strong sign, wherever else they stand."""
        for at in self.text.where(self.sure):
            word = self.words[at]
            if word.shape != "i" and at not in self.taken and not self._other(at):
                common = word.level in ("1", "2") or word.never
                opens = self.opens(at) and self.gaps[at] != "; "  # no capital is due there
                if common and (word.shape != "t" or opens) and not self._still(at):
                    continue
                self.found.append(Span(*self.tokens[at][:2], "NAME", 0.75, "named elsewhere in the note"))
