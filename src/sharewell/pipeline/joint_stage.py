"""The stage of a release at which its datasets, and earlier releases, are judged and attacked together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from sharewell import registry
from sharewell.errors import Infeasible
from sharewell.io.sources import Source
from sharewell.parameters import values_of
from sharewell.pipeline.certificate import Layout
from sharewell.pipeline.dependent_columns import PublishedColumns, dependent_columns
from sharewell.pipeline.evidence import EvidenceStore
from sharewell.pipeline.reopen import reopen
from sharewell.pipeline.together import (
    Joint,
    attack_tied,
    attack_together,
    concerned,
    criterion_of,
    not_judged,
)
from sharewell.pipeline.verify_together import Earlier, judge_written
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.copied_files import CopiedFiles
from sharewell.policy.model import Policy
from sharewell.protocols import PublishedDataset
from sharewell.wing import Claim, Records

REFUSED = "datasets about the same people, taken together, disclose more than the policy allows; nothing was released"
_ATTACKER = ("knows", "at_most")
"""Parameters of a joint criterion that say what an attacker knows."""
KEEP_COLUMNS = "let the file that is read have the columns of both datasets, one of them with the role drop"


@dataclass(frozen=True)
class Together:
    """What the certificate says of the datasets together (claim), and what internal/ keeps (findings)."""

    claim: JsonObject
    findings: JsonObject
    judged: list[Joint]


def judge_and_attack(
    policy: Policy,
    layout: Layout,
    written: Mapping[str, Json],
    released: Mapping[str, Records | None],
    evidence: EvidenceStore,
    earlier: Sequence[Earlier],
) -> Together:
    """Judge the written files together, refuse what fails, then attack what is left.

    written: claims and embedded policy, as the certificate will have them; released: the datasets in memory, where
    there are several.
    """
    judged = judge_written(layout, written, evidence, earlier)
    failed = [one for one in judged if one.finding.failed]
    if failed:
        blocking = [f"{' and '.join(one.datasets)}: {_reason(one)}" for one in failed]
        remedies = dict.fromkeys(remedy for one in failed for remedy in criterion_of(one).remedies)
        raise Infeasible(REFUSED, blocking=blocking, relaxations=list(remedies))
    _refuse_dependent(policy, judged, earlier)
    asked = written["policy"]["redacted"]["datasets"]
    here = {
        name: PublishedDataset(
            name,
            data,
            Source.named(layout.public / written["datasets"][name]["file"]),
            written["datasets"][name]["kind"],
            people=frozenset(asked[name]["people"]),
            columns=written["datasets"][name]["columns"],
            renamed=asked[name].get("renamed", {}),
        )
        for name, data in released.items()
    }
    before = [_listed(one, name) for one in earlier for name in one.certificate["datasets"]]
    attacks = attack_together(here, _reopened(earlier, here, written, evidence))
    attacks += attack_tied([one for name, one in here.items() if _can_be_joined(asked[name], one)], _knowledge(policy))

    def related(first: str, second: str) -> bool:
        tied = bool(asked[first].get("tied") and asked[second].get("tied"))
        return tied or bool(set(asked[first]["subjects"]) & set(asked[second]["subjects"]))

    silent = not_judged(here, before, judged, related)
    return Together(
        {"judged": [one.publicly() for one in judged], "not_judged": silent},
        {
            "criteria": [one.to_json() for one in judged],
            "attacks": [one.to_json() for one in attacks],
            "not_judged": silent,
        },
        judged,
    )


def _can_be_joined(asked: Mapping[str, Json], one: PublishedDataset) -> bool:
    """Is the dataset tied to others by person, and does it show whose its records are?"""
    reader = registry.wing(one.kind).capabilities().facts
    return bool(asked.get("tied")) and reader is not None and reader.person_facts(one.data) is not None


def _knowledge(policy: Policy) -> list[JsonObject]:
    """What attackers know, by the joint criteria of the policy; each once."""
    results: list[JsonObject] = []
    for one in policy.person.require if policy.person is not None else ():
        known = {name: one.parameters[name] for name in _ATTACKER if one.parameters.get(name) is not None}
        if "knows" in known and known not in results:
            results.append(known)
    return results


def _refuse_dependent(policy: Policy, judged: Sequence[Joint], earlier: Sequence[Earlier]) -> None:
    """Tables that hide cells, beside a table by a column that says the same in other words, now or earlier."""
    copied = CopiedFiles.of(policy)
    here = {name: PublishedColumns.of(one, copied.first_names(one)) for name, one in policy.datasets.items()}
    before = {
        title: PublishedColumns.of_earlier(one.certificate["policy"]["redacted"]["datasets"][name])
        for one in earlier
        for title, name in one.titles().items()
    }
    known = here | before
    for one in judged:
        rule = criterion_of(one)
        hiding = rule.by_columns and bool(values_of(one.finding.details).get("unsafe", True))
        for first, second in combinations(one.datasets, 2) if hiding else ():
            if first in before and second in before:
                continue  # they were judged when the later of them was released
            for ours, theirs, reason in dependent_columns(known[first], known[second]):
                pair = f"column {ours} of {first} and column {theirs} of {second}"
                if reason:
                    what = f"{pair} tell each other's values in the data"
                    raise Infeasible(REFUSED, blocking=[what], relaxations=list(rule.remedies))
                what = f"undecided: {pair} are not in one file, so whether they tell each other's values is not known"
                raise Infeasible(REFUSED, blocking=[what], relaxations=[KEEP_COLUMNS, *rule.remedies])


def _reason(one: Joint) -> str:
    return f"{one.finding}{f' — {one.finding.note}' if one.finding.note else ''}"


def _listed(one: Earlier, name: str) -> PublishedDataset:
    claim = one.claim(name)
    file = Source.named(one.layout.public / claim.file)
    renamed = one.certificate["policy"]["redacted"]["datasets"][name].get("renamed", {})
    return PublishedDataset(name, None, file, claim.kind, release=one.name, columns=claim.columns, renamed=renamed)


def _reopened(
    earlier: Sequence[Earlier],
    here: Mapping[str, PublishedDataset],
    written: Mapping[str, Json],
    evidence: EvidenceStore,
) -> list[PublishedDataset]:
    """Datasets of earlier releases that an attack may use, read from their published files."""
    results = []
    claims = {name: Claim.from_json(written["datasets"][name]) for name in here}
    for one in earlier:
        titles = one.titles()
        wanted = concerned("attacks", claims | {title: one.claim(name) for title, name in titles.items()})
        for title, name in titles.items():
            if title in wanted:
                data, _, _ = reopen(one.layout, name, one.claim(name), evidence)
                results.append(replace(_listed(one, name), data=data))
    return results
