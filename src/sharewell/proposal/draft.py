"""The draft itself: YAML with a reason beside every proposal, as comments. People decide, not the draft."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sharewell.errors import PolicyError
from sharewell.io.shipped import shipped_text
from sharewell.io.sources import Source
from sharewell.policy.profiles import profile
from sharewell.proposal.answers import Answers
from sharewell.proposal.dataset_kinds import DatasetDraft, datasets_of
from sharewell.proposal.draft_datasets import Setting, dataset_lines, joined_options, reader_options
from sharewell.proposal.shared_persons import groups, registers, with_persons_of_others
from sharewell.proposal.source_choice import detected, with_subjects
from sharewell.proposal.survey import Survey, safe_name, survey
from sharewell.proposal.yaml_text import commented, entry, mapping, scalar
from sharewell.roles import Role

_DOMAINS: Mapping[str, str] = {"age": "{low: 0, high: 110, bins: 11}", "sex": "{values: [F, M]}"}
"""What is public about columns of a topic; a steward who writes it otherwise changes the draft."""
_REGISTER = "a list of people without their health, as an attacker may have it; it is not released"
_TIED = ("tables", "codes", "notes", "joint", "genomes")
"""Kinds of data whose records can be tied by person."""
_TEXTS: dict[str, str] = tomllib.loads(shipped_text("draft.toml"))


@dataclass(frozen=True)
class Proposal:
    """What was seen in each file, the datasets that come of it, and the draft as YAML."""

    surveys: tuple[Survey, ...]
    datasets: tuple[DatasetDraft, ...]
    registers: tuple[str, ...]
    """Files that list people whom an attacker may know, and that are not released."""
    text: str

    @classmethod
    def of(
        cls,
        files: Sequence[Path | Source],
        *,
        name: str = "draft",
        base: Path | None = None,
        questions: bool = False,
        answers: Answers | None = None,
        options: Source | None = None,
    ) -> Proposal:
        """`base` is the folder in which the policy will lie: paths in a policy are relative to it.

        questions: the files stay with their steward, who answers questions about them.
        answers: what the steward said about the release; where nothing is said, the data decides.
        options: what the steward said about reading the files.
        """
        refuse_name(name)
        return cls.from_surveys(
            seen(files, options), name=name, base=base or Path(), questions=questions, answers=answers or Answers()
        )

    @classmethod
    def from_surveys(
        cls, surveys: Sequence[Survey], *, name: str, base: Path, questions: bool, answers: Answers
    ) -> Proposal:
        surveys = tuple(answers.with_person(one) for one in surveys)
        lists = () if questions else registers(surveys)
        released = [one for one in surveys if one.name not in lists]
        datasets = tuple(answers.applied(dataset) for dataset in datasets_of(released)) if not questions else ()
        added = profile(answers.profile)
        has_k = any(criterion.name == "k-anonymity" for criterion in added.criteria)
        setting = Setting(base, datasets, tuple(one for one in surveys if one.name in lists), has_k)
        lines = _head(name, answers, len(released) > 1, surveys)
        lines[-1:] = [*(f"# {one}: {_REGISTER}" for one in lists), *_person(datasets, surveys), "datasets:"]
        for dataset in datasets:
            lines += dataset_lines(dataset, setting)
        for one in surveys if questions else ():
            lines += _asked(one, base)
        text = "\n".join([*lines, "write: {parquet: out/}   # out/<release name>/public and …/internal; or csv", ""])
        return cls(tuple(surveys), datasets, lists, text)


def refuse_name(name: str) -> None:
    """A release has the name of its folder."""
    if safe_name(name) != name:
        raise PolicyError(f"name — must be usable as a folder name — such as {safe_name(name)}")


def seen(files: Sequence[Path | Source], options: Source | None = None) -> list[Survey]:
    """Look at files; those that name no person get theirs from the others where they can."""
    results = with_subjects([detected(file, options) if isinstance(file, Path) else (file, ()) for file in files])
    surveys = survey([source for source, _ in results], [decided for _, decided in results])
    return with_persons_of_others(surveys)


def propose(paths: Sequence[Path], *, name: str = "draft", base: Path | None = None) -> str:
    """The draft of a policy for these files, as YAML with comments."""
    return Proposal.of(paths, name=name, base=base).text


def _head(name: str, answers: Answers, several: bool, surveys: Sequence[Survey]) -> list[str]:
    lines = [_TEXTS["head"].strip("\n"), "sharewell: 1", "release:", f"  name: {scalar(name)}"]
    recipient = f"  recipient: {scalar(answers.recipient)}" if answers.recipient else "  # recipient: who receives it"
    lines += [recipient, f"  context: {answers.context}   # or {answers.other_context}"]
    title = profile(answers.profile).title
    lines += commented([f"profile: {answers.profile}"], f"{title}; others: sharewell profiles")
    lines += _TEXTS["secrets"].strip("\n").splitlines()
    if several:
        lines += _TEXTS["several"].strip("\n").splitlines()
        lines += [f"# About the same people: {', '.join(group.files)}." for group in groups(surveys)]
    return [*lines, "datasets:"]


def _person(datasets: Sequence[DatasetDraft], surveys: Sequence[Survey]) -> list[str]:
    """The tie by person, where several files name the same people and one of them has a row for each."""
    named = [one for one in datasets if one.subject is not None]
    files = {one.survey.name for one in named}
    together = any(files <= set(group.files) for group in groups(surveys))
    tables = [one for one in named if one.kind == "tables" and one.survey.persons == one.survey.rows]
    if len(files) < 2 or not together or not tables or any(one.kind not in _TIED for one in named):
        return []
    people = max(tables, key=lambda one: one.survey.rows)
    quasi = ", ".join(scalar(column.name) for column in people.having(Role.QUASI))
    others = ", ".join(f"{scalar(one.name)}: 1" for one in named if one is not people)
    knows = f"{{{scalar(people.name)}: [{quasi}], {others}}}"
    return [
        *commented(["person:"], "all data of a person together"),
        *commented([f"  table: {scalar(people.name)}"], "one row per person"),
        f"  key: {scalar(people.subject or '')}",
        f"  # require: [joined-k-anonymity: {{k: 5, knows: {knows}, at_most: 1}}]",
        "  # using: joined-suppression   # leaves out what people could be found by; then link: true of each dataset",
    ]


def _asked(one: Survey, base: Path) -> list[str]:
    """A dataset that answers questions. Domains are public knowledge, so none is taken from the data."""
    known = {column.name: _DOMAINS[column.topic] for column in one.columns if column.topic in _DOMAINS}
    lines = [f"  {scalar(one.name)}:", *(f"    # {line}" for line in _TEXTS["questions"].strip().splitlines())]
    options = reader_options(one.source, base) | joined_options(one)
    lines += ["    kind: queries", f"    read: {mapping(options)}", "    columns:"]
    for column in one.columns:
        role = column.role if column.role is Role.SUBJECT or column.name in known else Role.DROP
        asked = Role.SENSITIVE if column.role is Role.SENSITIVE else Role.QUASI
        reason = "; ".join(column.reasons) if role is column.role else f"to ask about it: {asked}, and a domain"
        lines += commented(entry(column.name, str(role), " " * 6), reason)
    lines += ["    domains:   # from a code book, never from the data", *_domain_lines(known)]
    several = "{rows: 1}" if one.subject is not None else "{unit: record}   # every row is another person"
    return [*lines, f"    contributions: {several}", *_TEXTS["budget"].strip("\n").splitlines()]


def _domain_lines(known: Mapping[str, str]) -> list[str]:
    if not known:
        return ["      # such as ward: {values: [A, B, C]} or cost: {low: 0, high: 50000, bins: 10}"]
    return [line for name, domain in known.items() for line in entry(name, domain, " " * 6)]
