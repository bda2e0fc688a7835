"""What stands beside a verdict: who can re-check it, what is published as it is, and what was not measured.

"All criteria hold" says nothing about a column that no criterion speaks of, about free text, about data that others
hold, or about earlier releases. These facts come from the certificate and, where they are at hand, from the findings in
internal/; the terminal and the dossier show the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from sharewell.findings import Tier
from sharewell.pipeline.certificate import DAMAGED
from sharewell.plain_data import Json
from sharewell.roles import Role

AGAINST = "against"
"""In the findings of an attack: the lists and files of others that it held the release against."""
AGREES = "text-agrees-with-table"
UNREADABLE = "whatever else, for the certificate is damaged"
_SHOWN = 4
"""This many names are listed before the rest is counted."""

Columns = Mapping[str, tuple[str, ...]]
"""Dataset → columns."""


@dataclass(frozen=True)
class Cautions:
    """What a board weighs beside the verdict. Names and counts, no value."""

    rechecked_by_recipients: int = 0
    """Claims that anyone can re-check from the public files."""
    rechecked_by_steward: int = 0
    """Claims that take internal/ or a named source."""
    attested: int = 0
    """Claims that rest on the certificate's word alone."""
    kept_columns: Columns = field(default_factory=dict)
    """Published as they are, and no criterion hides whose they are: role keep."""
    sensitive_columns: Columns = field(default_factory=dict)
    """Published as they are; criteria may bound what is learnt from them: role sensitive."""
    text_columns: Columns = field(default_factory=dict)
    """Free text: rewritten, but nothing shows that all that identifies was found."""
    not_measured: tuple[str, ...] = (UNREADABLE,)
    """In words, each a noun phrase."""

    @classmethod
    def of(cls, certificate: Mapping[str, Json], findings: Mapping[str, Json] | None = None) -> Cautions:
        """As far as the certificate can be read. findings: those of internal/; None: they are not at hand."""
        tiers = list(_readable(_tiers(certificate)))
        return cls(
            tiers.count(Tier.RECIPIENT),
            tiers.count(Tier.STEWARD),
            tiers.count(Tier.ATTESTED),
            _with_role(certificate, Role.KEEP),
            _with_role(certificate, Role.SENSITIVE),
            _with_role(certificate, Role.TEXT),
            tuple(_readable(_not_measured(certificate, findings), UNREADABLE)),
        )

    def rechecked(self, tiers: Sequence[Tier | None]) -> Cautions:
        """These cautions, with what a verification could open instead of what the certificate claims."""
        recipients, steward, attested = (tiers.count(tier) for tier in (Tier.RECIPIENT, Tier.STEWARD, Tier.ATTESTED))
        return replace(self, rechecked_by_recipients=recipients, rechecked_by_steward=steward, attested=attested)

    @property
    def claims(self) -> int:
        return self.rechecked_by_recipients + self.rechecked_by_steward + self.attested

    def lines(self) -> tuple[str, str, str]:
        """The three things in words: who can re-check, what is published as it is, what was not measured."""
        return self._rechecked(), self._as_it_is(), self._silent()

    def _rechecked(self) -> str:
        sentence = (
            f"Recipients can re-check {self.rechecked_by_recipients} of {_several(self.claims, 'claim')} themselves"
        )
        if self.rechecked_by_steward:
            sentence += f"; {self.rechecked_by_steward} {_verb(self.rechecked_by_steward, 'need')} the steward's files"
        if self.attested:
            sentence += f"; {self.attested} {_verb(self.attested, 'rest')} on the certificate's word"
        return f"{sentence}."

    def _as_it_is(self) -> str:
        parts = [
            f"{words} {_listed(columns)}"
            for words, columns in (
                ("Published unchanged:", self.kept_columns),
                ("Sensitive values published unchanged:", self.sensitive_columns),
                ("Free text:", self.text_columns),
            )
            if columns
        ]
        return f"{'. '.join(parts)}." if parts else "No column is published unchanged, and none is free text."

    def _silent(self) -> str:
        return f"Not measured: {'; '.join(self.not_measured)}."


def _readable(sentences: Iterator[str], instead: str = "") -> Iterator[str]:
    """What a damaged certificate still says, and then `instead` for the rest."""
    try:
        yield from sentences
    except DAMAGED:
        yield from [instead] if instead else []


def _tiers(certificate: Mapping[str, Json]) -> Iterator[str]:
    for claim in certificate["datasets"].values():
        texts = claim.get("texts", {}).get("columns", {})
        in_texts = [one for facts in texts.values() for one in facts.get("findings", [])]
        for one in (*claim["findings"], *in_texts, *claim.get("utility", [])):
            yield str(one.get("tier", Tier.ATTESTED))
    for one in certificate["together"]["judged"]:
        yield str(one.get("tier", Tier.ATTESTED))


def _with_role(certificate: Mapping[str, Json], role: Role) -> dict[str, tuple[str, ...]]:
    results: dict[str, tuple[str, ...]] = {}
    with suppress(*DAMAGED):
        for name, claim in certificate["datasets"].items():
            columns = tuple(str(column) for column, facts in claim["columns"].items() if _as_it_is(facts, role))
            results |= {str(name): columns} if columns else {}
    return results


def _as_it_is(facts: Mapping[str, Json], role: Role) -> bool:
    """Has the column this role, with its cells as they were? A hierarchy, a style or noise says that they are not."""
    changed = role is Role.SENSITIVE and any(part in facts for part in ("style", "falsified"))
    made = role is Role.KEEP and (facts.get("of") == [] or "falsified" in facts)  # no column of a source
    return facts.get("role") == role and not changed and not made


def _not_measured(certificate: Mapping[str, Json], findings: Mapping[str, Json] | None) -> Iterator[str]:
    names = [str(name) for name in certificate["datasets"]]
    if findings is None:
        yield "linking with data that others hold (a verification mounts no attack)"
    elif unlinked := [name for name in names if not _linked(findings["datasets"].get(name, {}))]:
        yield f"linking {_names(unlinked)} with data that others hold"
    earlier = [str(one["name"]) for one in certificate["after"]]
    known = f"other than {_names(earlier)}" if earlier else "none was named"
    yield f"other releases about the same people ({known})"
    if certificate["release"].get("same_identifiers") is True:
        yield "whether persons have the same identifiers in all files, as the policy claims"
    for name, claim in certificate["datasets"].items():
        if silent := list(_unheld(claim)):
            yield f"whether {_names(silent)} of {name} discloses more than its row"
        if claim.get("unit") == "records" and claim.get("persons") == "none":
            yield f"whether a person has several records in {name} (no column identifies persons: records are counted)"
        if joined := claim.get("joined_person"):
            twice = f"{joined['perhaps_twice']} may count twice, because their entries nearly equal those of another"
            yield f"whether each person of {name} has one spelling (no number identifies them; {twice})"
        if _unguarded(claim):
            yield f"who the rows of {name} are about (it has no quasi column, so all rows are one class)"
    pairs = [" with ".join(map(str, pair)) for pair in certificate["together"]["not_judged"]]
    if pairs:
        which = f"{len(pairs)} pairs of datasets" if len(pairs) > _SHOWN else _names(pairs)
        yield f"{which}, taken together"


def _unheld(claim: Mapping[str, Json]) -> Iterator[str]:
    """Text columns beside generalised ones that no criterion holds against their row."""
    generalised = any(facts.get("role") == Role.QUASI for facts in claim["columns"].values())
    for column, facts in claim.get("texts", {}).get("columns", {}).items() if generalised else ():
        if not any(one.get("name") == AGREES for one in facts.get("findings", [])):
            yield str(column)


def _unguarded(claim: Mapping[str, Json]) -> bool:
    """Are columns published as they are without a quasi one? k-anonymity then holds, whatever these columns tell."""
    columns = list(claim["columns"].values())
    if any(facts.get("role") in (Role.QUASI, Role.TEXT) for facts in columns):
        return False
    return any(_as_it_is(facts, role) for facts in columns for role in (Role.KEEP, Role.SENSITIVE))


def _linked(results: Mapping[str, Json]) -> bool:
    """Was the release of this dataset held against a list or file of others?"""
    return any(
        one.get(AGAINST) and (one.get("after") or {}).get("value") is not None for one in results.get("attacks", [])
    )


def _listed(columns: Columns) -> str:
    """
    >>> _listed({"patients": ("plan", "ward"), "visits": ("kind",)})
    'plan and ward of patients, kind of visits'
    """
    return ", ".join(f"{_names(names)} of {dataset}" for dataset, names in columns.items())


def _names(names: Sequence[str]) -> str:
    """
    >>> _names(["a", "b", "c", "d", "e", "f"])
    'a, b, c, d and 2 more'
    """
    shown = list(names[:_SHOWN]) if len(names) > _SHOWN + 1 else list(names)
    last = f"{len(names) - len(shown)} more" if len(names) > len(shown) else shown.pop()
    return f"{', '.join(shown)} and {last}" if shown else last


def _several(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _verb(count: int, verb: str) -> str:
    return f"{verb}s" if count == 1 else verb
