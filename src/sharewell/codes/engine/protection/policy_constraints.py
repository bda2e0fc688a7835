"""The combinations that a privacy policy lists, and the groups of codes that hide them.

What a change of a label means for the combinations that name one of its codes is looked up when it is needed: those
that wait for protection before the next one is chosen, those that were met when no other waits any more. (A merge can
make two codes of a combination meet in one record that never met before, so that what was met may fail again.)
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Criteria, Infeasible, Mechanism, Protected
from sharewell.codes.criteria.privacy_policy import PrivacyPolicy
from sharewell.codes.criteria.utility_policy import UtilityPolicy
from sharewell.codes.data import CodeSets, Ints, Sets
from sharewell.codes.engine.protection.label_groups import LabelGroups
from sharewell.codes.engine.protection.requirements import refuse_few
from sharewell.codes.utility.ul import log2_loss

Order = Literal["most patients", "fewest patients", "least missing"]
_MANY = 300
"""Codes of all combinations beyond which compiled loops pay."""
_FEW = 1_000
"""Labels up to which it is tried out whether merging all of them would be enough."""
_SHOWN = 20
"""How many combinations a message names."""


@dataclass(frozen=True)
class SetBasedDetails:
    """How many combinations were listed, and what became of the codes."""

    combinations: int
    codes: int
    labels: int
    generalised_codes: int
    suppressed_codes: int


@dataclass(frozen=True)
class Partner:
    """The label whose merge with another loses least."""

    label: int
    shared: int
    loss: float


class Constraints:
    """The combinations, utility sets and groups of codes of one run."""

    def __init__(self, mechanism: Mechanism[CodeSets], data: CodeSets, criteria: Criteria[CodeSets]) -> None:
        self.name = mechanism.name
        private = [criterion for criterion in criteria if isinstance(criterion, PrivacyPolicy)]
        self._useful = [criterion for criterion in criteria if isinstance(criterion, UtilityPolicy)]
        refuse_few(mechanism, data, criteria, "privacy-policy", (policy.k for policy in private))
        number = {code: i for i, code in enumerate(data.names)}
        self.numbers: list[str] = []
        rows, least, strict = [], [], []
        for policy_number, policy in enumerate(private, start=1):
            for place, itemset in enumerate(policy.itemsets, start=1):
                known = [number[code] for code in itemset if code in number]
                if known and (policy.strict or len(known) == len(itemset)):
                    rows.append(known)
                    least.append(policy.k)
                    strict.append(policy.strict)
                    self.numbers.append(f"{place}" if len(private) == 1 else f"{place} of policy {policy_number}")
        self.listed = Sets.of(rows)
        self.k: Ints = np.array(least, dtype=np.int64)
        self.strict: NDArray[np.bool_] = np.array(strict, dtype=bool)
        self.total = sum(len(policy.itemsets) for policy in private)
        self._set_of, self._counted = _set_numbers(data, self._useful)
        self._codes_in = {number: np.flatnonzero(self._set_of == number) for number in set(self._set_of.tolist())}
        self._naming = self.listed.transposed(len(data.names))
        with np.errstate(divide="ignore"):  # entry 0 is never read
            self._of_size = log2_loss(np.arange(2 * len(data.names) + 1), 1)
            self._of_support: NDArray[np.float64] = np.log2(np.arange(data.records + 1))
        self._begin(data)

    def _begin(self, data: CodeSets) -> None:
        """Every code is a label again, and nothing is known of any combination."""
        size = self.listed.count
        self.groups = LabelGroups(data, len(self.listed.items) > _MANY, self._set_of)
        self._wholes: dict[int, tuple[Ints, int]] = {}
        self._labels_at = self._near_at = (-1, -1)
        self._shown: Ints = np.zeros(size, dtype=np.int64)
        self._met: NDArray[np.bool_] = np.zeros(size, dtype=bool)
        self._changed: NDArray[np.bool_] = np.ones(size, dtype=bool)
        self._aside: NDArray[np.bool_] = np.zeros(size, dtype=bool)

    def anew(self) -> Constraints:
        """The same combinations and utility sets, for another run."""
        other = copy.copy(self)
        other._begin(self.groups.data)
        return other

    # Which combinations are met

    def next_unmet(self, order: Order) -> int | None:
        """The next combination to protect; equals in the order of the policy. None: all others are met."""
        self._update(np.flatnonzero(self._changed & ~self._met & ~self._aside))
        if not (~self._met & ~self._aside).any():
            self._update(np.flatnonzero(self._changed & self._met))
        unmet = np.flatnonzero(~self._met & ~self._aside)
        if not len(unmet):
            return None
        shown = self._shown[unmet]
        rank = {"most patients": -shown, "fewest patients": shown, "least missing": self.k[unmet] - shown}[order]
        return int(unmet[np.argmin(rank)])

    def all_unmet(self) -> Ints:
        """Every combination that is not met now."""
        self._update(np.flatnonzero(self._changed))
        return np.flatnonzero(~self._met)

    def is_met(self, itemset: int) -> bool:
        if self._changed[itemset]:
            self._update(np.array([itemset]))
        return bool(self._met[itemset])

    def put_aside(self, itemset: int) -> None:
        """Nothing more can be done for it; perhaps what is done for others helps."""
        self._aside[itemset] = True

    def _update(self, ones: Ints) -> None:
        """A combination is met if k records show all its labels, or if it cannot occur (strict: nor any part of it)."""
        shown = self.groups.together(self.listed, ones, self.k[ones])
        self._shown[ones], self._met[ones] = np.maximum(shown, 0), self._meets(self.groups, ones, shown)
        self._changed[ones] = False

    def _meets(self, groups: LabelGroups, ones: Ints, shown: Ints) -> NDArray[np.bool_]:
        """Which combinations are met by groups in which this many records show all their labels (−1: none is left)."""
        strict = self.strict[ones]
        met: NDArray[np.bool_] = (shown < 0) | (shown >= self.k[ones])
        if not strict.all():
            named = self.listed.take(ones)
            lacking = np.zeros(len(ones), dtype=bool)
            lacking[named.row_of[groups.label_of[named.items] < 0]] = True
            met |= ~strict & ((shown == 0) | lacking)
        for place in np.flatnonzero(~met & strict & (shown == 0)).tolist():
            itemset = int(ones[place])
            met[place] = groups.parts_held_by(self._labels(groups, itemset), int(self.k[itemset]))
        return met

    # What can be done about them

    def labels(self, itemset: int) -> list[int]:
        """The labels of a combination that are published, the rarest first."""
        if self._labels_at != (itemset, self.groups.version):
            self._labels_at, self._labels_now = (itemset, self.groups.version), self._labels(self.groups, itemset)
        return self._labels_now

    def _labels(self, groups: LabelGroups, itemset: int) -> list[int]:
        labels = sorted(set(groups.label_of[self.listed.row(itemset)].tolist()) - {-1})
        order = np.lexsort((groups.first[labels], groups.support[labels]))
        return [labels[place] for place in order.tolist()]

    def partner(self, itemset: int, label: int, helpful: bool = True) -> Partner | None:
        """The label inside the same utility set with which merging a label of a combination loses least, if any.

        Of equals, the one that lets most records more show the combination (`helpful` being False: none does, as is
        known); then one that is not part of it; then the one with the first code.
        """
        if (utility_set := int(self._set_of[label])) < 0:
            return None
        loss, best, shared = self.groups.cheapest(label, self._codes_in[utility_set], self._of_size, self._of_support)
        if not len(best):
            return None
        if len(best) == 1:
            return Partner(int(best[0]), int(shared[0]), loss)
        gained = self._gained(itemset, label)[best] if helpful else None
        first = self._first(itemset, best, gained)
        return Partner(int(best[first]), int(shared[first]), loss)

    def other_merge(self, itemset: int, labels: list[int]) -> tuple[int, Partner] | None:
        """The first of some labels that has a partner, with it."""
        return next(((label, partner) for label in labels if (partner := self.partner(itemset, label))), None)

    def helpful_partner(self, itemset: int, label: int) -> Partner | None:
        """The partner of least loss for each record that comes to show the combination; None if no merge helps it."""
        if (utility_set := int(self._set_of[label])) < 0:
            return None
        groups, gained = self.groups, self._gained(itemset, label)
        possible = np.flatnonzero(gained)
        possible = possible[groups.alive[possible] & (self._set_of[possible] == utility_set) & (possible != label)]
        if not len(possible):
            return None
        gained, shared = gained[possible], groups.shared(label, possible)
        support = groups.support[possible] + groups.support[label] - shared
        loss = self._loss(groups.size[possible] + groups.size[label], support)
        loss = np.round(loss - np.log2(np.minimum(gained, self.missing(itemset))), 9)
        best = np.flatnonzero(loss == loss.min())
        first = int(best[self._first(itemset, possible[best], gained[best])])
        return Partner(int(possible[first]), int(shared[first]), float(loss[first]))

    def missing(self, itemset: int) -> int:
        """How many records more must show a combination; more of them are worth nothing."""
        return max(1, int(self.k[itemset] - self._shown[itemset]))

    def helped(self, itemset: int) -> list[int]:
        """The labels of a combination without which more records would show the rest: merging these can help."""
        labels = self.labels(itemset)
        if len(labels) < 2:
            return [label for label in labels if self.groups.support[label] < self.groups.data.records]
        lacking = np.bincount(self._nearly(itemset)[1], minlength=len(labels)).tolist()
        return [label for label, records in zip(labels, lacking, strict=False) if records]

    def _loss(self, sizes: Ints, supports: Ints) -> NDArray[np.float64]:
        """The logarithm of the loss. Losses that agree to nine digits are equal, so that no rounding decides."""
        return np.round(self._of_size[sizes] + self._of_support[supports], 9)

    def _first(self, itemset: int, labels: Ints, gained: Ints | None) -> int:
        """The place of the best of labels with equal loss."""
        candidates = np.arange(len(labels)) if gained is None else np.flatnonzero(gained == gained.max())
        inner = np.zeros(len(self._set_of), dtype=bool)
        inner[self.labels(itemset)] = True
        if len(outer := candidates[~inner[labels[candidates]]]):
            candidates = outer
        return int(candidates[np.argmin(self.groups.first[labels[candidates]])])

    def _nearly(self, itemset: int) -> tuple[Ints, Ints]:
        """The records that show all labels of a combination but one, and the place of that one among the labels."""
        if self._near_at != (itemset, self.groups.version):
            self._near_at, self._near = (itemset, self.groups.version), self.groups.near(self.labels(itemset))
        return self._near

    def _gained(self, itemset: int, label: int) -> Ints:
        """For every label the records that show the combination only once the two are merged."""
        groups, wanted = self.groups, self.labels(itemset)
        if len(wanted) == 1:
            return groups.support - groups.overlaps(wanted)
        rows, missing = self._nearly(itemset)
        gained = groups.shown_in(rows[missing == wanted.index(label)])
        lacking = np.bincount(missing, minlength=len(wanted) + 1)[:-1]
        gained[wanted] = lacking + lacking[wanted.index(label)]  # merged, they ask for either of them
        return gained

    def least_possible_losses(self, labels: list[int]) -> NDArray[np.float64]:
        """No merge of these labels loses less: even the smallest partner adds its codes, if perhaps no record."""
        groups = self.groups
        sets, sizes = self._set_of[labels], groups.size[labels]
        other = np.empty(len(labels), dtype=np.int64)
        for number in set(sets.tolist()):
            least, next_least = groups.two_least(self._codes_in[number])
            of_set = sets == number
            other[of_set] = np.where(sizes[of_set] == least, next_least, least)
        return self._loss(sizes + other, groups.support[labels])

    @property
    def utility_sets(self) -> list[Ints]:
        """The codes of each set that a study counts."""
        return [codes for number, codes in sorted(self._codes_in.items()) if number in self._counted]

    def is_counted(self, label: int) -> bool:
        """Does a study count its codes?"""
        return int(self._set_of[label]) in self._counted

    def times_named(self, labels: list[int]) -> dict[int, int]:
        """For each label, a suppressed one too, how many combinations name its codes, each code by itself."""
        lengths = self._naming.lengths
        return {label: int(lengths[self.groups.codes(label)].sum()) for label in labels}

    def are_named(self, codes: Ints) -> NDArray[np.bool_]:
        """Which codes stand in a combination; the others need no protection."""
        named: NDArray[np.bool_] = self._naming.lengths[codes] > 0
        return named

    def merge_utility_sets(self) -> None:
        """One label for each set within which codes may be merged: as much as merging can ever do."""
        for codes in (codes for number, codes in sorted(self._codes_in.items()) if number >= 0):
            self.groups.merge_all(codes)
            self._touch(int(codes[0]))

    def merge(self, label: int, partner: Partner) -> None:
        self.groups.merge(label, partner.label, partner.shared)
        self._touch(label)

    def suppress(self, label: int) -> None:
        self.groups.suppress(label)
        self._touch(label)
        self._wholes.pop(int(self._set_of[label]), None)

    def restore(self, label: int) -> None:
        self.groups.restore(label)
        self._touch(label)
        self._wholes.pop(int(self._set_of[label]), None)

    def cannot_be_met(self, itemset: int) -> bool:
        """Would a combination not be met even if each of its labels were all of its utility set?

        Only tested where the sets are small; False otherwise.
        """
        groups = self.groups
        utility_sets = {int(self._set_of[label]) for label in self.labels(itemset)} - {-1}
        if sum(int(groups.alive[self._codes_in[number]].sum()) for number in utility_sets) > _FEW:
            return False
        imagined = groups.as_if(self._whole(number) for number in utility_sets)
        alone = np.array([itemset])
        return not self._meets(imagined, alone, imagined.together(self.listed, alone, self.k[alone]))[0]

    def _whole(self, number: int) -> tuple[Ints, int]:
        """The published codes of a utility set, and how many records show one of them. Merging changes neither."""
        if number not in self._wholes:
            codes = self._codes_in[number]
            codes = codes[self.groups.label_of[codes] >= 0]
            self._wholes[number] = codes, self.groups.records_with(codes)
        return self._wholes[number]

    def back_to(self, merges: int, itemset: int) -> None:
        """Undo all merges but this many, the first; they were made for one combination."""
        for label in self.labels(itemset):
            self._touch(label)
        self.groups.back_to(merges)

    def _touch(self, label: int) -> None:
        self.groups.mark(label, self._naming, self._changed)

    # What comes of it

    @property
    def allowed(self) -> int:
        """How many codes may be suppressed: this many that no utility policy counts more than it allows."""
        names = self.groups.data.names
        return min((policy.allowed_of(names) for policy in self._useful), default=len(names))

    def refuse_failure(self) -> None:
        """Infeasible if a combination is not met, or more codes are suppressed than may be."""
        groups = self.groups
        self._update(np.flatnonzero(self._changed))
        if unmet := np.flatnonzero(~self._met).tolist():
            names = ", ".join(self.numbers[i] for i in unmet[:_SHOWN]) + (", …" if len(unmet) > _SHOWN else "")
            raise Infeasible(
                f"{self.name} — {len(unmet)} of {self.total} combinations cannot be hidden within the utility policy",
                blocking=[f"combinations (by their place in the policy): {names}"],
                relaxations=["wider utility sets", "a larger max_suppressed", "a smaller k"],
            )
        if self.allowed < 0:
            raise Infeasible(
                f"{self.name} — the utility policy names more codes that the data lacks than may be suppressed",
                blocking=["utility-policy: codes"],
                relaxations=["name the codes of the data, or leave `codes` out", "a larger max_suppressed"],
            )
        if groups.suppressed > self.allowed:
            raise Infeasible(
                f"{self.name} — {groups.suppressed} of {len(groups.data.names)} codes had to be suppressed, "
                f"and {self.allowed} may be",
                blocking=["utility-policy: max_suppressed"],
                relaxations=["wider utility sets", "a larger max_suppressed", "coat, which counts while it works"],
            )
        if len(groups.data.names) and not groups.alive.any():
            raise Infeasible(f"{self.name} — every code had to be suppressed", relaxations=["wider utility sets"])

    def published(self) -> Protected[CodeSets]:
        """The release, once nothing speaks against it."""
        groups = self.groups
        wide = groups.alive & (groups.size > 1)
        details = SetBasedDetails(
            combinations=self.total,
            codes=len(groups.data.names),
            labels=int(groups.alive.sum()),
            generalised_codes=int(groups.size[wide].sum()),
            suppressed_codes=groups.suppressed,
        )
        return Protected(groups.published(), details, np.arange(groups.data.records))


def hide_by_rarest_code(constraints: Constraints, order: Order, most_suppressed: int) -> None:
    """Take up one combination after the other, and in it always the label with the fewest patients.

    It is merged where the utility policy allows, else suppressed. Once no more codes may be suppressed, the other
    labels of the combination are tried; if none of them can be merged, it is put aside.
    """
    groups = constraints.groups
    while (itemset := constraints.next_unmet(order)) is not None:
        while not constraints.is_met(itemset):
            labels = constraints.labels(itemset)
            rarest = labels[0]
            if partner := constraints.partner(itemset, rarest):
                constraints.merge(rarest, partner)
            elif groups.suppressed + groups.size[rarest] <= most_suppressed:
                constraints.suppress(rarest)
            elif other := constraints.other_merge(itemset, labels[1:]):
                constraints.merge(*other)
            else:
                constraints.put_aside(itemset)
                break


def _set_numbers(data: CodeSets, policies: Sequence[UtilityPolicy]) -> tuple[Ints, frozenset[int]]:
    """For each code the number of the set within which it may be merged, and the numbers of sets that a study counts.

    −1: the code may not be merged. Without a policy all codes may be.
    """
    number_of: dict[tuple[int, ...], int] = {}
    numbers = np.zeros(len(data.names), dtype=np.int64)
    for i, code in enumerate(data.names):
        sets = tuple(policy.set_of.get(code, -1) for policy in policies)
        numbers[i] = -1 if -1 in sets else number_of.setdefault(sets, len(number_of))
    counted = (
        number
        for sets, number in number_of.items()
        if not policies or any(one < len(policy.sets) for one, policy in zip(sets, policies, strict=True))
    )
    return numbers, frozenset(counted)
