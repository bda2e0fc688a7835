"""The parts of a dataset of people with their codes: each as a dataset of its own, which its own wing can open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sharewell import registry
from sharewell.errors import DataError, PolicyError
from sharewell.io.sources import Source
from sharewell.joint.engine.codes_beside_dna import Dna, Genotypes
from sharewell.joint.engine.snp_cells import SEQUENCE, SNP, SnpCells
from sharewell.joint.policy import joint_keys
from sharewell.policy.model import ColumnRule, Dataset, OwnKeys
from sharewell.roles import Role, Schema
from sharewell.wing import ColumnFacts


@dataclass(frozen=True)
class DatasetParts:
    """Where there are no demographics, the people are those of the DNA."""

    people: Dataset
    codes: Dataset
    dna: Dataset | None

    @classmethod
    def of(cls, dataset: Dataset) -> DatasetParts:
        """Refused if the columns cannot be told apart, or the files not be joined."""
        place = f"datasets.{dataset.name}"
        keys = joint_keys(dataset)
        people, dna = keys.demographics, keys.genotypes
        if people is None and dna is None:
            hint = "say demographics: {csv: …}, or genotypes: {csv: …}"
            raise PolicyError(f"{place} — kind joint needs the people, or their DNA, beside their codes — {hint}")
        if keys.unit != "person":
            raise PolicyError(f"{place}.unit — people and their codes are published by person — take it out")
        files = {source.label: source.names() for source in (dataset.read, people, dna) if source is not None}
        code_columns = dataset.read.names()
        rules = dataset.columns
        subject = next((name for name, rule in rules.items() if rule.role is Role.SUBJECT), None)
        if subject is None or any(subject not in names for names in files.values()):
            problem = "people and codes are joined by a subject column of the same name in all files"
            raise PolicyError(f"{place}.columns — {problem} — map names with `columns:` of the source")
        _refuse_shared(place, dataset, list(files.values()), subject)
        unread = [name for name in rules if not any(name in names for names in files.values())]
        if unread:
            raise PolicyError(f"{place}.columns — no file has: {', '.join(unread)}")
        _check_roles(place, dataset, dataset.read, "lists codes", "drop it, or bring it with the people")
        codes = replace(dataset, kind="codes", columns=_of(rules, code_columns), own=keys.codes)
        of_dna = None
        if dna is not None:
            _check_roles(place, dataset, dna, "holds DNA", "drop it, or bring it with the people")
            own_rules = _of(rules, dna.names())
            _refuse_settings(place, own_rules)
            of_dna = replace(dataset, kind="genomes", read=dna, columns=own_rules, own=OwnKeys())
        if people is None:
            assert dna is not None
            only = {subject: rules[subject]}
            listed = replace(
                dataset, kind="tables", read=Source.of(dna.read([subject])), columns=only, rest=None, own=OwnKeys()
            )
            return cls(listed, codes, of_dna)
        of_people = _of(rules, people.names())
        return cls(replace(dataset, kind="tables", read=people, columns=of_people, own=OwnKeys()), codes, of_dna)


def _of(rules: Mapping[str, ColumnRule], names: Sequence[str]) -> dict[str, ColumnRule]:
    return {name: rule for name, rule in rules.items() if name in names}


def _refuse_shared(place: str, dataset: Dataset, files: Sequence[Sequence[str]], subject: str) -> None:
    """A column that two files have would be published twice, or not as the policy says."""
    roles = {name: rule.role for name, rule in dataset.columns.items()}
    once = [name for names in files for name in dict.fromkeys(names)]
    both = [
        name
        for name in dict.fromkeys(once)
        if once.count(name) > 1 and name != subject and roles.get(name) is not Role.DROP
    ]
    if both:
        where = "a column of both files" if len(files) == 2 else "a column of several files"
        problem = f"{', '.join(both)} is {where}"
        raise PolicyError(f"{place}.columns — {problem} — drop it, or rename one with `columns:` of the source")


def _check_roles(place: str, dataset: Dataset, source: Source, holds: str, hint: str) -> None:
    """Beside codes, and beside DNA, no other column can be published."""
    names = source.names()
    roles = {name: rule.role for name, rule in dataset.columns.items() if name in names}
    Schema.of(names, roles, dataset.rest)
    unfit = [name for name in names if roles.get(name, dataset.rest) not in (Role.SUBJECT, Role.QUASI, Role.DROP)]
    if unfit:
        problem = f"{source.label} {holds}, so that {', '.join(unfit)} cannot be published"
        raise PolicyError(f"{place}.columns — {problem} — {hint}")


def _refuse_settings(place: str, rules: Mapping[str, ColumnRule]) -> None:
    with_settings = [name for name, rule in rules.items() if replace(rule, role=Role.QUASI) != ColumnRule(Role.QUASI)]
    if with_settings:
        what = "DNA has its own lattice and style"
        raise PolicyError(f"{place}.columns.{with_settings[0]} — {what} — give the role alone")


def opened_dna(dataset: Dataset, base: Path) -> tuple[SnpCells, Sequence[str]]:
    """The DNA of a file, and whose each row is."""
    read: Dna = registry.lookup("genomes", "wing", "genomes")().open(dataset, base)
    if read.persons is None:
        raise DataError(f"{dataset.read.label} — nobody is named — give one column the role subject")
    if isinstance(read, Genotypes):
        return SnpCells.of_calls(read.array(), [str(name) for name in read.snps.id]), read.persons
    if (read.codes == 0).any():
        raise DataError(f"{dataset.read.label} — its sequences differ in length — align them first")
    columns = [name for name, rule in dataset.columns.items() if rule.role is Role.QUASI]
    return SnpCells.of_bases(read.codes, columns[0] if columns else "sequence"), read.persons


def described(dna: SnpCells) -> dict[str, dict[str, object]]:
    """Counts of each column."""
    results: dict[str, dict[str, object]] = {}
    for number, name in enumerate(dna.names):
        sets = dna.sets if dna.alphabet == "bases" else dna.sets[:, number : number + 1]
        known = sets[(sets != dna.full).all(axis=1)]
        several = known.shape[1] > 1
        distinct = len(np.unique(known, axis=0)) if several else int(np.count_nonzero(np.bincount(known.ravel())))
        facts = {"role": str(Role.QUASI), "kind": SNP if dna.alphabet == "calls" else SEQUENCE, "distinct": distinct}
        results[name] = {**facts, "missing": len(sets) - len(known)}
    return results


def dna_columns(columns: Mapping[str, ColumnFacts]) -> dict[str, ColumnFacts]:
    """Those of the dictionary that show DNA."""
    return {name: facts for name, facts in columns.items() if facts.get("kind") in (SNP, SEQUENCE)}


def reopened_dna(source: Source, columns: Mapping[str, ColumnFacts]) -> SnpCells:
    """The DNA of a release, as its file shows it."""
    kinds = {facts.get("kind") for facts in columns.values()}
    names = list(columns)
    if len(kinds) > 1 or (kinds == {SEQUENCE} and len(names) > 1) or not set(names) <= set(source.names()):
        raise DataError(f"{source.label} — its columns are not those of the certificate")
    table = source.read(names)
    return SnpCells.reopened({name: table[name] for name in names}, "bases" if kinds == {SEQUENCE} else "calls")
