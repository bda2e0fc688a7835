"""Replace: identifiers in notes are consistently replaced by surrogates or tags, or removed.

## Guarantee
Known identifiers of the person's own row (names and their parts, dates in any common spelling, numbers, places) are
absent from the published notes of that person, by an exact search of the published text; a note that fails this search
is withheld and counted. All that the detectors find is replaced as the parameters say. A person has the same surrogates
in all notes (in a column of text of a table: within a class), another person has others, and no surrogate is a word or
number of the same person's own notes.

## Adversary
Reads the published notes and knows names, dates, numbers and addresses of people who may be in them. A name that was
missed stands among invented ones, and readers cannot tell which it is. Without the key no surrogate and no shift can be
undone, even by somebody who knows how they are drawn.

## What it does not protect
Identifiers that no detector finds and no row holds stay: measure them on marked notes (`sharewell notes evaluate`,
criterion `residual-risk`). A rare story, diagnosis or occupation may identify a person without any name. Shifted dates
keep their intervals, by which a known pattern of visits may be recognised; under Safe Harbor dates must be years. Times
of day and ages up to 89 stay. Without a subject, each note counts as a person of its own.

## Parameters
names, contacts, ids: `surrogate`, `tag` or `suppress`. Contacts are telephone, e-mail, web, internet and street
addresses.
places, organisations: the same, or `keep`; what the person's row holds is replaced all the same.
dates: `shift` (by a secret number of days of the person), `year`, `tag` (with the shifted date) or `suppress`.
days: the most by which dates move (365).
weekdays: `true` keeps days of the week: whole weeks.
day_first: is 3/5 the third of May? Left out: as `read:` says, else as most of a person's dates are written.
year: the year in which ages are counted; else that of the criterion `safe-harbor`, else the latest in the notes.
ages: `cap` (90+, and births before that), `tag` or `keep`.
zips: `surrogate`, `zip3` (Safe Harbor's three digits, or 000) or `suppress`.
drugs: `keep`, `suppress`, or `{generalise: 1}` (2, …, full).
tree: a hierarchy of your own, if not the shipped one.
doses: `keep`, `suppress` or `round` (one significant digit).
mark: what stands for what is suppressed: `kind` ([NAME]), `line` (___) or `nothing`.
language: the languages whose notes are read: `english`, one that has a pack (`german`, `spanish`), or a list of them.
Notes in others are withheld; `any` takes every note, and reads it as English.
detectors: names of those to use, if not all (objects of your own: `also`).
certainty: how certain it must be that a piece identifies somebody (0.12); a lower one finds more, and more in vain. The
dossier shows what each threshold finds on text of authors whom neither rules nor model have seen.
model: the file of a model that `sharewell notes train` wrote (`{jsonl: FILE}`).
rules: files of rules of your own, which are detectors beside these (`[mine.toml]`; see docs/notes.md).
also: in Python alone, objects with `name` and `find` beside these, such as `Plugged`; one process then does the work.

## Worked example
>>> from sharewell.notes import Known, Notes
>>> from sharewell.keys import Key
>>> texts = ["Rosa Delgado, seen 03/05/2016 by Dr. Chen. MRN 0041299.",
...          "DELGADO, ROSA: called 3/8/2016. R. Delgado is 92."]
>>> notes = Notes.of(texts, ["p1", "p1"], {"p1": Known.of(names=["Rosa", "Delgado"], ids=["0041299"])})
>>> released = Replace().protect(notes, [], Key(b"an example key of enough bytes.."))
>>> for text in released.data.texts:
...     print(text)
Jennifer Jackson, seen 04/25/2015 by Dr. Wolf. MRN 2978861.
JACKSON, JENNIFER: called 4/28/2015. J. Jackson is 90+.

## Why it is safe
All notes of a person are read first, so that their real values are known; each surrogate is a keyed digest of what it
replaces (HMAC-SHA256 under a key of this person), drawn again if it is a real value. Known identifiers win over safe
phrases and over detectors that disagree. The rewritten text is searched again, and known identifiers become tags, until
none is found. The criterion `no-known-identifiers` judges the published file independently.

## Cost
Linear in the length of the notes; the detectors take most of it.

## Source
Sweeney, Replacing personally-identifying information in medical records, the Scrub system, 1996; Gupta, Saul and
Gilbertson, Evaluation of a deidentification (De-Id) software engine, 2004 (tags); Carrell et al., Hiding in plain
sight, 2013 (surrogates); 45 CFR 164.514(b)(2).
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from annotated_types import Unit

from sharewell.errors import PolicyError
from sharewell.hierarchy.tree import Tree
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.notes.criteria.safe_harbor import SafeHarborText
from sharewell.notes.data import Notes
from sharewell.notes.detectors import Detector, Detectors, registered
from sharewell.notes.engine.chosen_language import chosen_language
from sharewell.notes.engine.known_identifiers import Known
from sharewell.notes.engine.protection.drugs_and_doses import drug_hierarchy
from sharewell.notes.engine.protection.person_by_person import LANGUAGE, NoteMechanism, person_by_person
from sharewell.notes.engine.protection.short_texts import BESIDE_TABLE, refuse_foreign_together
from sharewell.notes.engine.readable_text import edits_in_source, readable
from sharewell.notes.engine.rewritten_text import NoteOwner, RewrittenNote
from sharewell.notes.engine.spans import USUAL_CERTAINTY, Span, Text, resolve_overlaps
from sharewell.notes.matcher.language_packs import LanguagePack, language_packs
from sharewell.notes.matcher.matching import RuleDetector
from sharewell.notes.matcher.own_rules import RuleFile, own_rules
from sharewell.notes.matcher.sure_names import spread_sure_names
from sharewell.notes.replacers.person import PARAMETER_OF_KIND, PersonReplacer
from sharewell.notes.replacers.places import is_street
from sharewell.notes.replacers.survivors import known_hits, tag_survivors
from sharewell.parameters import Count, Declared, Share, Year
from sharewell.protocols import Criterion, Protected
from sharewell.roles import did_you_mean

Hidden = Literal["surrogate", "tag", "suppress"]
Placed = Literal["surrogate", "tag", "suppress", "keep"]
_ENGLISH, _ANY = "english", "any"
_READ_ENGLISH = ("safe-harbor", "extracted-values", BESIDE_TABLE, "notes-agree-with-table")
"""Criteria that know English wordings alone: over notes in another language they hold because they see nothing."""
INSTEAD = (
    "release notes in other languages as a dataset of their own, not tied to a table, and require no-known-identifiers"
    " and residual-risk"
)
_GAP = re.compile(r"[ \t]*[.,]?[ \t]*")
_DAY = r"(?:(?i:mon|tues?|wed|thu(?:rs?)?|fri)|S(?i:at|un))"
_DAY_BEFORE = re.compile(rf"\b{_DAY}\.?,? {{1,2}}$")
_DAY_AFTER = re.compile(rf"(?:, ?| \(?){_DAY}\b")


@dataclass(frozen=True)
class Replace(Declared, NoteMechanism):
    """Surrogates for names, places, contacts and numbers; dates shifted; ages capped; drugs and doses as asked."""

    names: Hidden = "surrogate"
    dates: Literal["shift", "year", "tag", "suppress"] = "shift"
    ages: Literal["cap", "tag", "keep"] = "cap"
    places: Placed = "surrogate"
    organisations: Placed = "surrogate"
    contacts: Hidden = "surrogate"
    ids: Hidden = "surrogate"
    zips: Literal["surrogate", "zip3", "suppress"] = "surrogate"
    drugs: Literal["keep", "suppress"] | dict[str, Count | Literal["full"]] = "keep"
    doses: Literal["keep", "suppress", "round"] = "keep"
    tree: Source | Tree | None = None
    weekdays: bool = False
    days: Annotated[Count, Unit("days")] = 365
    year: Year | None = None
    mark: Literal["kind", "line", "nothing"] = "kind"
    language: str | list[str] = "english"
    detectors: list[str] | None = None
    also: Sequence[Detector] = ()
    certainty: Share = USUAL_CERTAINTY
    model: Source | None = None
    rules: list[RuleFile] | None = None
    day_first: bool | None = field(default=None, compare=False)

    name: ClassVar[str] = "replace"
    falsifies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.model, str | Path):
            object.__setattr__(self, "model", Source(Path(str(self.model).removeprefix("file:")), "jsonl"))
        if isinstance(self.drugs, dict) and set(self.drugs) != {"generalise"}:
            raise ValueError("drugs are kept, suppressed, or generalised: {generalise: 1}, 2, … or full")
        if not all(isinstance(detector, Detector) for detector in self.also):
            raise ValueError("also — holds what has no name and no find(text, known) — wrap a recogniser in Plugged")
        unknown = sorted({*self.detectors}.difference(registered())) if self.detectors is not None else []
        if unknown:
            hint = did_you_mean(unknown[0], registered()) or f"known: {', '.join(registered())}"
            raise ValueError(f"detectors — none is called {unknown[0]} — {hint}")
        self._check_languages()
        if self.weekdays and self.days < 7:
            raise ValueError("days is the most by which dates move: 7 or more with weekdays")

    def _check_languages(self) -> None:
        if self.language in (_ENGLISH, _ANY):
            return
        known = (_ENGLISH, *language_packs())
        if not self.languages:
            raise ValueError(f"language — names none — {', '.join(known)}, several of them in a list, or any")
        for name in self.languages:
            if name not in known:
                hint = did_you_mean(name, known) or f"known: {', '.join(known)}, or any"
                raise ValueError(f"language — there is no pack called {name} — {hint}")

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages whose notes are read."""
        return (self.language,) if isinstance(self.language, str) else tuple(self.language)

    def protect(self, data: Notes, must: Sequence[Criterion[Notes]], key: Key | None = None) -> Protected[Notes]:
        refuse_unread(self, data, [criterion.name for criterion in must])
        years = (
            [criterion.year for criterion in must if isinstance(criterion, SafeHarborText) and criterion.year]
            if self.year is None
            else []
        )
        if self.also:  # a recogniser at hand here need not be at hand in another process
            data = replace(data, work=replace(data.work, processes=1))
        return person_by_person(replace(self, year=years[0]) if years else self, data, must, key)

    def choice(self, kind: str) -> str | dict[str, int | Literal["full"]]:
        """What becomes of spans of a kind."""
        chosen: str | dict[str, int | Literal["full"]] = getattr(self, PARAMETER_OF_KIND.get(kind, "ids"))
        return chosen

    @cached_property
    def drug_tree(self) -> Tree | None:
        """The hierarchy of drugs, read once; none where the shipped one counts."""
        return drug_hierarchy(self.tree)

    def rewrite(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote]:
        """All notes of one person: read together as a reader sees them, then rewritten one by one as they are."""
        languages = {index: name for index, text in enumerate(texts) if (name := self._language(text)) is not None}
        packs = [None if name == _ENGLISH else language_packs()[name] for name in languages.values()]
        readable_texts = {index: readable(texts[index]) for index in languages}
        read = [Text.of(shown) for shown, _ in readable_texts.values()]
        spans = [self._spans(text, owner.known, pack) for text, pack in zip(read, packs, strict=True)]
        person = PersonReplacer(self, read, spread_sure_names(read, spans), owner, packs)
        scopes = _scopes(texts, owner)
        replacers = {scope: person.within(scope) for scope in {*scopes}}
        notes = {
            index: tag_survivors(texts[index], edits_in_source(texts[index], one.edits(turn), places), owner.known)
            for turn, (index, (_, places)) in enumerate(readable_texts.items())
            for one in (replacers[scopes[index]],)
        }
        return [notes.get(index) or RewrittenNote.withhold(LANGUAGE) for index in range(len(texts))]

    def _language(self, text: str) -> str | None:
        """The language that a note is read in; None if the policy does not allow it."""
        return _ENGLISH if self.language == _ANY else chosen_language(text, self.languages)

    def ready(self) -> None:
        """Load every list: what a process that has many notes before it begins with."""
        for name in self.languages:
            self._detectors(None if name in (_ENGLISH, _ANY) else language_packs()[name]).ready()

    def _detectors(self, pack: LanguagePack | None = None) -> Detectors:
        if pack is not None:
            return in_language(pack.name, self._own_rules, self.certainty, tuple(self.also))
        model = None if self.model is None else self.model.path
        names = tuple(self.detectors) if self.detectors is not None else None
        chosen = usual(names, model, self._own_rules, self.certainty)
        return Detectors((*chosen.all, *self.also)) if self.also else chosen

    @property
    def _own_rules(self) -> tuple[Path, ...]:
        return tuple(file.path for file in self.rules or () if file.path is not None)

    def _spans(self, text: Text, known: Known | None, pack: LanguagePack | None = None) -> list[Span]:
        """What is to be replaced: what detectors find, and what is known and not inside of it.

        Both searches for what is known look here already: what a detector cuts in two neither would find at the end.
        """
        claimed = self._detectors(pack).find(text, known)
        spans = [span for span in claimed if self.choice(span.kind) != "keep"]
        if known:
            row_spans = [_own(text, *hit) for hit in sorted(set(known_hits(text, known)))]
            row_spans += [Span(*hit, 0.85, "one slip from the person's own") for hit in known.near(text)]
            exactly = {(span.start, span.end) for span in row_spans if span.certainty > 1}
            spans = [span for span in spans if (span.start, span.end) not in exactly]  # the row knows what it is
            starts = [span.start for span in spans]
            outside = [span for span in row_spans if not _inside(span, spans, starts)]
            spans = resolve_overlaps([*spans, *outside], text=text) if outside else spans
        return _joined(text, _with_weekdays(text, spans))


@lru_cache(maxsize=8)
def usual(
    names: tuple[str, ...] | None,
    model: Path | None,
    rules: tuple[Path, ...] = (),
    certainty: float = USUAL_CERTAINTY,
) -> Detectors:
    """Detectors by name, or all of them, and rules of the user's own; the search for what is known is the mechanism's
    own."""
    from sharewell.notes.detectors.learned import Learned, Weighing

    chosen = Detectors.usual(without=["known-identifiers"]) if names is None else Detectors.of(*names)
    weighed = [replace(one, least=certainty) if isinstance(one, Weighing) else one for one in chosen.all]
    own = map(own_rules, rules)
    return Detectors((*weighed, *own, *([] if model is None else [Learned(model)])))


def refuse_unread(mechanism: NoteMechanism, data: Notes, criteria: Iterable[str]) -> None:
    """No criterion that reads English alone judges notes that a mechanism admits in other languages, and no mechanism
    that reads English alone rewrites a column of short texts in another one."""
    languages = mechanism.languages if isinstance(mechanism, Replace) else ()
    blind = [name for name in dict.fromkeys(criteria) if name in _READ_ENGLISH]
    beside_table = BESIDE_TABLE in blind
    if languages == (_ENGLISH,) or (languages == (_ANY,) and beside_table):
        refuse_foreign_together(mechanism.name, data.column, data.texts, beside_table)
    others = [name for name in languages if name not in (_ENGLISH, _ANY)]
    if others and blind:
        raise PolicyError(
            f"language — {' and '.join(blind)} can judge English notes alone, and notes in {' and '.join(others)} are"
            f" let in — {INSTEAD}"
        )


@lru_cache(maxsize=8)
def in_language(name: str, rules: tuple[Path, ...], certainty: float, also: tuple[Detector, ...]) -> Detectors:
    """The detectors of a language pack, and rules and recognisers of the user's own. A rule of a pack is as certain as
    its author says; no model weighs it."""
    chosen = Detectors.of_language(name).all
    sure = (
        RuleDetector(one.name, tuple(rule for rule in one.rules if rule.certainty >= certainty))
        if isinstance(one, RuleDetector)
        else one
        for one in chosen
    )
    return Detectors((*sure, *map(own_rules, rules), *also))


def _own(text: Text, start: int, end: int, kind: str) -> Span:
    """What is known; a street of it is replaced like the streets that detectors find."""
    street = kind == "PLACE" and is_street(text[start:end])
    return Span(start, end, "ADDRESS" if street else kind, 2.0, "the person's own")


def _inside(span: Span, spans: Sequence[Span], starts: Sequence[int]) -> bool:
    """Is a span part of another that is replaced as a whole? They do not overlap, and are in order."""
    before = bisect_right(starts, span.start) - 1
    return before >= 0 and span.end <= spans[before].end


def _with_weekdays(text: Text, spans: Sequence[Span]) -> list[Span]:
    """Dates with the day of the week beside them: one that stayed would tell the shift but for whole weeks."""
    wider: list[Span] = []
    for number, span in enumerate(spans):
        if span.kind == "DATE":
            last_end = wider[-1].end if wider else 0
            limit = spans[number + 1].start if number + 1 < len(spans) else len(text)
            before = _DAY_BEFORE.search(text, max(last_end, span.start - 12), span.start)
            after = _DAY_AFTER.match(text, span.end, limit)
            start, end = before.start() if before else span.start, after.end() if after else span.end
            span = Span(start, end, span.kind, span.certainty, span.reason)
        wider.append(span)
    return wider


def _scopes(texts: Sequence[str], owner: NoteOwner) -> Sequence[str]:
    """The scope of each text; of some of them only, where others could not be rewritten, each stands alone."""
    if not owner.scopes or len(owner.scopes) == len(texts):
        return owner.scopes or [""] * len(texts)
    return [hashlib.sha256(text.encode()).hexdigest() for text in texts]


def _joined(text: Text, spans: Sequence[Span]) -> list[Span]:
    """Pieces of one name side by side are one."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and last.kind == span.kind == "NAME" and _GAP.fullmatch(text, last.end, span.start):
            joined[-1] = Span(last.start, span.end, "NAME", min(last.certainty, span.certainty), last.reason)
        else:
            joined.append(span)
    return joined
