"""Negative rules: who has a property never has a certain sensitive value. What an attacker may know, or read off data.

Rules of one column are kept as a family: antecedents (values, or cells of a release), and for each of them which
sensitive values it rules out. A family is exclusive if no two of its antecedents have a value in common: then one of
them applies to a person at most.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from sharewell.cells import Exact
from sharewell.errors import PolicyError
from sharewell.io.sources import Source
from sharewell.roles import Role
from sharewell.spelling import fold
from sharewell.tables.data import Bools, Column, Indices, Table, encode
from sharewell.tables.engine.cell_matching import Cover, people_like
from sharewell.tables.engine.cell_overlap import CellOverlap
from sharewell.tables.engine.original_rules import BaseCounts, RuleThresholds


@dataclass(frozen=True)
class Rule:
    """Whoever has this value of a quasi column never has any of these sensitive values."""

    when: Mapping[str, str]
    never: tuple[str, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.when, Mapping) or len(self.when) != 1:
            raise ValueError("rules need one column and its value under `when`, such as {sex: male}")
        if isinstance(self.never, str) or not isinstance(self.never, Sequence) or not self.never:
            raise ValueError("rules need a list of values under `never`")
        object.__setattr__(self, "when", {str(name): str(value) for name, value in self.when.items()})
        object.__setattr__(self, "never", tuple(str(value) for value in self.never))

    @classmethod
    def of(cls, rule: object) -> Rule:
        """A rule, or a mapping with `when` and `never` as a policy writes it."""
        if isinstance(rule, Rule):
            return rule
        if not isinstance(rule, Mapping) or set(rule) != {"when", "never"}:
            raise ValueError("rules need `when` and `never`, such as {when: {sex: male}, never: [ovarian cancer]}")
        return cls(rule["when"], rule["never"])

    def __repr__(self) -> str:
        return f"Rule(of {', '.join(self.when)}, {len(self.never)} value(s))"


@dataclass(frozen=True, eq=False)
class RuleFamily:
    """Rules of one column: `forbids[code of the antecedent, code of the sensitive value]`."""

    antecedents: Column
    forbids: Bools

    @property
    def count(self) -> int:
        return int(self.forbids.sum())

    @cached_property
    def telling(self) -> Indices:
        """Antecedents that rule something out."""
        return np.flatnonzero(self.forbids.any(axis=1))

    @property
    def exact(self) -> bool:
        """Are all of them single values?"""
        cells = self.antecedents.cells
        return all(isinstance(cells[code], Exact) for code in self.telling)

    @cached_property
    def exclusive(self) -> bool:
        if self.exact:
            return True
        touch = CellOverlap(self.antecedents, self.antecedents)
        met = (touch.of(int(code)) for code in self.telling)
        return all(one is not None and np.isin(self.telling, np.asarray(one)).sum() == 1 for one in met)

    def for_people(self, true: Column) -> Bools:
        """What is ruled out for each distinct value of a column of true values."""
        cover, out = Cover(self.antecedents, true), np.zeros((true.size, self.forbids.shape[1]), dtype=bool)
        for code in self.telling:
            covered = cover.of(int(code))
            out[slice(None) if covered is None else np.asarray(covered, dtype=np.intp)] |= self.forbids[code]
        return out

    def for_cells(self, published: Column) -> Mapping[int, Bools]:
        """For each published cell: the different sets of values that are ruled out for some person in it."""
        touch = CellOverlap(published, self.antecedents)
        ruled_out = {}
        for code in np.unique(published.codes).tolist():
            touched = touch.of(code)
            which = self.telling if touched is None else np.intersect1d(np.asarray(touched), self.telling)
            if len(which):
                ruled_out[code] = np.unique(self.forbids[which.astype(np.intp)], axis=0)
        return ruled_out


def mine_rules(table: Table, column: Column, sensitive: Column, least: RuleThresholds) -> RuleFamily | None:
    """Cells and values that hardly meet, although many persons would have both if they were independent. O(n log n)"""
    by_cell = table.grouped([column])
    if not by_cell.count:
        return None
    everybody = BaseCounts.of(by_cell.as_one(), sensitive)
    forbids = np.zeros((column.size, sensitive.size), dtype=bool)
    forbids[column.codes[by_cell.order[by_cell.starts[:-1]]]] = least.exclude(by_cell, everybody, sensitive)
    return RuleFamily(column, forbids) if forbids.any() else None


def mine_source(source: Source, published: Column, sensitive: Column, least: RuleThresholds) -> RuleFamily | None:
    """The same from records with true values that the attacker holds."""
    frame = source.read([published.name, sensitive.name])
    values = encode(sensitive.name, Role.SENSITIVE, frame[sensitive.name], kind="text")
    # A copy of its own column for what a policy may call both: quasi and sensitive are roles of this release.
    shown = pa.table({"quasi": people_like(published, frame[published.name]).arrow, "wanted": values.arrow})
    table = Table.of(shown, quasi=["quasi"], sensitive=["wanted"])
    family = mine_rules(table, table.quasi[0], table.sensitive[0], least)
    if family is None:
        return None
    place = {fold(text): code for code, text in enumerate(sensitive.texts)}
    forbids = np.zeros((family.forbids.shape[0], sensitive.size), dtype=bool)
    for code, text in enumerate(table.sensitive[0].texts):
        if fold(text) in place:
            forbids[:, place[fold(text)]] = family.forbids[:, code]
    antecedents = replace(family.antecedents, name=published.name, hierarchy=published.hierarchy, levels=None)
    return RuleFamily(antecedents, forbids)


def family_of_rules(rules: Sequence[Rule], published: Column, sensitive: Column) -> RuleFamily | None:
    """Rules that the attacker knows from elsewhere."""
    looks = [fold(text) for text in sensitive.texts]
    named = [(rule.when[published.name], set(map(fold, rule.never))) for rule in rules if published.name in rule.when]
    forbidden = [(value, np.array([look in never for look in looks], dtype=bool)) for value, never in named]
    return _family(published, forbidden) if any(forbids.any() for _, forbids in forbidden) else None


def merged(families: Sequence[RuleFamily]) -> RuleFamily | None:
    """Families of single values of one column as one."""
    if len(families) < 2:
        return families[0] if families else None
    forbidden = [(one.antecedents.texts[code], one.forbids[code]) for one in families for code in one.telling]
    return _family(families[0].antecedents, forbidden)


def _family(like: Column, forbidden: Sequence[tuple[str, Bools]]) -> RuleFamily:
    """What each of some values of a column rules out; a value may be named several times."""
    texts = sorted({text for text, _ in forbidden})
    forbids = np.zeros((len(texts), len(forbidden[0][1])), dtype=bool)
    for text, one in forbidden:
        forbids[texts.index(text)] |= one
    antecedents = encode(like.name, Role.QUASI, pa.array(texts, pa.string()), kind="text")
    return RuleFamily(replace(antecedents, hierarchy=like.hierarchy), forbids)


def unknown_columns(rules: Sequence[Rule], quasi: Collection[str]) -> None:
    """Refuse rules about columns that are not quasi."""
    names = sorted({name for rule in rules for name in rule.when} - set(quasi))
    if names:
        raise PolicyError(f"rules — {', '.join(names)} — only quasi columns can stand under `when`")
