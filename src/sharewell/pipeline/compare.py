"""Comparing: the same data under several criteria and mechanisms, each with its risk and its loss, side by side.

Every variant is protected in memory, on the rows themselves, and checked; nothing is written or released, and nothing
here holds a cell value. Drawn with risk on one axis and loss on the other this is the R-U confidentiality map of
Duncan, Keller-McNulty and Stokes (2001). A variant is on the *front* if no other has less risk without more loss.

>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, KMember, Table
>>> people = pa.table({"age": [20, 23, 25, 27, 28, 29], "sex": ["M", "F", "M", "F", "F", "F"]})
>>> table = Table.of(people, quasi=["age", "sex"])
>>> result = compare(table, [[KAnonymity(2)], [KAnonymity(3)]], [KMember()])
>>> [(point.label, point.mechanism, round(point.risk, 3), round(point.loss, 3)) for point in result.pareto]
[('k = 3', 'k-member', 0.333, 0.444), ('k = 2', 'k-member', 0.5, 0.185)]
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import partial

from sharewell import registry
from sharewell.errors import Infeasible, Mistake, PolicyError, SharewellError
from sharewell.findings import Finding
from sharewell.keys import Key
from sharewell.number_format import show
from sharewell.parameters import parameters_of, values_of
from sharewell.pipeline import sized_steps
from sharewell.pipeline.completion import completed
from sharewell.pipeline.extracted_tables import table_of, tried_back
from sharewell.pipeline.variants import (
    NO_K,
    built,
    configured,
    for_rung,
    lists_of_criteria,
    measure_of,
    mechanisms_for,
    own_mechanism,
    risk_of,
    takes_k,
    with_k,
)
from sharewell.plain_data import JsonObject
from sharewell.policy.algorithms import usual_measure
from sharewell.policy.model import Compare, Dataset, Policy
from sharewell.progress import PartsOf, Progress, within
from sharewell.protocols import Algorithm, AnyAttack, AnyCriterion, AnyMeasure, AnyMechanism
from sharewell.wing import Data, Records, Wing, trial_data

ALONE = "nothing added"
"""The label of criteria to which others are added in the other variants."""
Row = tuple[str, str, float | None, float | None, int | None, float, str, str]
"""Criteria, mechanism, risk, loss, classes, share withheld, is it on the front, why not."""


@dataclass(frozen=True)
class Point:
    """One variant: what was asked for, how, and what came of it."""

    criteria: str
    mechanism: str
    label: str
    """What tells its criteria from those of the other variants."""
    risk: float | None = None
    loss: float | None = None
    classes: int | None = None
    withheld: float = 0.0
    """Share of records."""
    best: bool = False
    """On the front: no other variant has less risk without more loss."""
    why_not: str = ""
    """Why there is nothing to draw."""
    family: str = ""
    """The mechanism's name alone."""
    current: bool = False
    """Is it what the policy itself says?"""

    @property
    def standing(self) -> str:
        """Is it on the front, and is it what the policy says?"""
        return ", ".join(word for word, holds in (("yes", self.best), ("the policy", self.current)) if holds)


@dataclass(frozen=True)
class Comparison:
    """All variants of one dataset."""

    name: str
    risk: str
    measure: str
    points: tuple[Point, ...]
    rows: int
    of_rows: int
    more_is_better: bool = False
    """Of the measure; usually less is."""
    probability: bool = True
    risk_before: float | None = None
    """Of the data as it stands."""
    loss_bound: float | None = None
    """What the policy promises about the measure."""
    larger_is_safer: bool = False
    """Of the risk; usually less is."""
    picks_record: bool = False
    """Is the risk the chance of picking the right record, for which there are customary thresholds?"""
    risk_words: str = ""
    measure_words: str = ""
    """What attack and measure are, in a sentence."""

    @property
    def pareto(self) -> tuple[Point, ...]:
        """The front, from the least risk on."""
        safer = -1 if self.larger_is_safer else 1
        best = [one for one in self.points if one.best]
        return tuple(sorted(best, key=lambda one: (safer * (one.risk or 0), one.label)))

    @property
    def drawn(self) -> tuple[Point, ...]:
        return tuple(one for one in self.points if not one.why_not)

    @property
    def infeasible(self) -> tuple[Point, ...]:
        return tuple(one for one in self.points if one.why_not)

    @property
    def table(self) -> tuple[tuple[str, ...], list[Row]]:
        """Heads and rows, by risk and loss; what could not be done comes last."""
        heads = ("criteria", "mechanism", self.risk, self.measure, "classes", "withheld", "front", "why not")
        safer = -1 if self.larger_is_safer else 1
        order = sorted(self.points, key=lambda one: (bool(one.why_not), safer * (one.risk or 0), one.loss or 0))
        return heads, [
            (p.criteria, p.mechanism, p.risk, p.loss, p.classes, p.withheld, p.standing, p.why_not) for p in order
        ]

    def csv(self) -> str:
        heads, rows = self.table
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([heads, *rows])
        return text.getvalue()

    def svg(self) -> str:
        from sharewell.dossier.ru_map import drawing

        return drawing(self)

    def html(self) -> str:
        return page({self.name: self})

    def to_json(self) -> JsonObject:
        return asdict(self)


def page(results: Mapping[str, Comparison]) -> str:
    """One self-contained page with every map and its table."""
    from sharewell.dossier.ru_map import page as drawn

    return drawn(list(results.values()))


def compare(
    data: Records,
    criteria: Sequence[Sequence[AnyCriterion]],
    mechanisms: Sequence[AnyMechanism],
    *,
    risk: AnyAttack | None = None,
    part: str = "",
    simulated: bool = False,
    measure: AnyMeasure | None = None,
    kind: str = registry.USUAL_KIND,
    name: str = "",
    key: Key | None = None,
    progress: Progress = lambda step: None,
    own: tuple[Sequence[AnyCriterion], AnyMechanism] | None = None,
    suited: Callable[[AnyMechanism, Sequence[AnyCriterion]], AnyMechanism] = lambda mechanism, must: mechanism,
) -> Comparison:
    """Each list of criteria with each mechanism. `part` draws a detail of the attack's finding, such as `average`.

    simulated: the attack is carried out with the truth, even where it can be computed without.
    own: the criteria and the mechanism that are marked as those of the policy. suited: the mechanism as it is set for a
    list of criteria.
    """
    wing = registry.wing(kind)
    if risk is None:
        usual, _, usual_part = wing.usual_risk.partition(".")
        part = part or usual_part
        risk = registry.lookup(kind, "attacks", usual)()
    measure = measure or registry.lookup(kind, "utility", usual_measure(kind))()
    data, key = trial_data(wing, data), key or Key.fresh()
    result = _before(wing, risk, data)
    points = []
    labels = _labels(criteria) if len(criteria) > 1 else [""]
    labels = [label or ALONE for label in labels] if len(criteria) > 1 else labels
    settings = _settings(mechanisms)
    begin = PartsOf("trying", len(criteria) * len(mechanisms), progress)
    for must, label in zip(criteria, labels, strict=True):
        for mechanism, setting in zip(mechanisms, settings, strict=True):
            fit = suited(mechanism, must)
            label_and_setting = ", ".join(filter(None, (label, setting))) or mechanism.name
            current = own is not None and fit == own[1] and sorted(map(words, must)) == sorted(map(words, own[0]))
            way = words(fit) if not setting or setting.partition(" = ")[0] in words(fit) else f"{fit.name} ({setting})"
            blank = Point(", ".join(map(words, must)), way, label_and_setting, family=mechanism.name, current=current)
            begin(f"{blank.criteria} with {blank.mechanism}", f"comparing {kind} by {mechanism.name}", data.rows)
            points.append(_tried(wing, data, must, fit, risk, part, measure, key, blank, simulated))
    upwards = measure.sense == "≥"
    return Comparison(
        name,
        f"{risk.name}.{part}" if part else risk.name,
        measure.name,
        _with_front(points, upwards, safer=-1 if risk.sense == "≥" else 1),
        data.rows,
        data.rows,
        upwards,
        result is None or result.unit == "probability",
        None if result is None else _reached(result, part),
        larger_is_safer=risk.sense == "≥",
        picks_record=risk.picks_record,
        risk_words=_sentence(kind, "attacks", risk.name),
        measure_words=_sentence(kind, "utility", measure.name),
    )


def compare_policy(
    policy: Policy,
    *,
    k: Sequence[int] = (),
    using: Sequence[str] = (),
    risk: str = "",
    measure: str = "",
    rows: int | None = None,
    progress: Progress = lambda step: None,
) -> dict[str, Comparison]:
    """Every dataset of a policy, with the variants given here, or named under `compare:`, or the usual ones.

    What is given here and a dataset cannot know, being of another kind, is left out for it; one of them must know it.
    """
    given = _Given(tuple(k), tuple(using), risk, measure)
    _refuse_unknown(policy, given)
    results = {}
    for dataset in _datasets(policy, progress):
        name = dataset.name
        mine = given.known_to(dataset)
        wing = registry.wing(dataset.kind)
        whole = wing.open(dataset, policy.path.parent)
        dataset = completed(dataset, whole)
        data = whole if rows is None else wing.sample(whole, rows)
        section = dataset.compare or Compare()
        suggested = None if mine.risk and mine.measure else wing.axes(dataset, data)
        axes = risk_of(suggested, wing.usual_risk, dataset, mine.risk)
        scored = measure_of(suggested, dataset, mine.measure)
        lists = lists_of_criteria(dataset, section, mine.k)
        ways = mechanisms_for(wing, data, dataset, section, mine.using, lists[0])
        if not mine.k and section == Compare() and len(ways) > 1 and len({one.name for one in ways}) == 1:
            lists = [dataset.criteria]  # one mechanism, set in several ways, is compared within the policy
        current = own_mechanism(wing, data, dataset)
        done = compare(
            data,
            lists,
            ways,
            risk=axes.attack,
            part=axes.part,
            simulated=axes.simulated,
            measure=scored,
            kind=dataset.kind,
            name=name,
            progress=within(name, progress),
            own=None if current is None else (_one_size(dataset), current),
            suited=partial(for_rung, dataset),
        )
        promised = [one.bound for one in dataset.utility if one.name == scored.name and one.bound is not None]
        bound = float(promised[0].value) if promised else None
        results[name] = replace(done, of_rows=whole.rows, loss_bound=bound)
    return results


@dataclass(frozen=True)
class _Given:
    """Variants that are asked for beside the policy, of all its datasets."""

    k: tuple[int, ...]
    using: tuple[str, ...]
    risk: str
    measure: str

    def named(self) -> list[tuple[str, str]]:
        """Each name with the room it belongs to."""
        one = [("attacks", self.risk.partition(".")[0]), ("utility", self.measure)]
        return [("mechanisms", name) for name in self.using] + [(room, name) for room, name in one if name]

    def known_to(self, dataset: Dataset) -> _Given:
        """Without what this dataset's kind does not know."""
        known = [(room, name) for room, name in self.named() if _knows(dataset, room, name)]
        rooms = {room for room, _ in known}
        return _Given(
            self.k if takes_k(dataset) else (),
            tuple(name for room, name in known if room == "mechanisms"),
            self.risk if "attacks" in rooms else "",
            self.measure if "utility" in rooms else "",
        )


def _refuse_unknown(policy: Policy, given: _Given) -> None:
    """Before any work: what no dataset knows, and what cannot be built by its name alone."""
    own = policy.datasets.values()
    datasets = [one for dataset in own for one in (dataset.extract, dataset) if one is not None]
    if given.k and not any(map(takes_k, datasets)):
        raise PolicyError(NO_K, "compare")
    for room, name in given.named():
        knowing = [one for one in datasets if _knows(one, room, name)]
        for one in knowing:
            built(one.kind, room, name, configured(one, room))
        if not knowing:
            kinds = {one.kind for one in datasets}
            raise PolicyError([mistake for kind in kinds for mistake in _unknown(kind, room, name)])


def _unknown(kind: str, room: str, name: str) -> tuple[Mistake, ...]:
    try:
        registry.lookup(kind, room, name)
    except PolicyError as error:
        return error.mistakes
    return ()


def _knows(dataset: Dataset, room: str, name: str) -> bool:
    known = {one.name for one in registry.entries(dataset.kind, room)}
    return name in known | {one.name for one in configured(dataset, room)}


def _datasets(policy: Policy, progress: Progress) -> Iterator[Dataset]:
    """The datasets of a policy, each after the table that is made from it."""
    for dataset in policy.datasets.values():
        progress(sized_steps.reading(dataset))
        if dataset.extract is None:
            yield dataset
        else:
            table = table_of(policy, dataset)
            yield table
            yield tried_back(policy, dataset, table)


def words(algorithm: Algorithm) -> str:
    """A criterion or mechanism with what was set: numbers and columns only, so that no value of the data is told."""
    values, settings = values_of(algorithm), []
    for one in parameters_of(type(algorithm)):
        value = values[one.name]
        if value == one.default:
            continue
        if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
            settings.append(f"{one.name} = {show(value)}")
        elif one.name == "column" and isinstance(value, str):
            settings.append(f"{one.name} = {value}")
    return f"{algorithm.name} ({', '.join(settings)})" if settings else algorithm.name


def _one_size(dataset: Dataset) -> Sequence[AnyCriterion]:
    """What the policy asks for, the largest k standing for several: a comparison sets one."""
    own = dataset.criteria
    sized_by = registry.wing(dataset.kind).sized_by
    sizes = [k for one in own if one.name == sized_by and isinstance(k := values_of(one).get("k"), int)]
    return with_k(dataset.kind, own, max(sizes)) if sizes else own


def _before(wing: Wing[Data], risk: AnyAttack, data: Data) -> Finding | None:
    """The attack on the data as it stands; None where it takes a release, or what only a release has."""
    try:
        return wing.attack_unprotected(risk, data)
    except SharewellError:
        return None


def _sentence(kind: str, room: str, name: str) -> str:
    """What an algorithm is, by its page."""
    return next((one.summary for one in registry.entries(kind, room) if one.name == name), "")


def _settings(mechanisms: Sequence[AnyMechanism]) -> list[str]:
    """What tells each mechanism from others of the same name; if that is much, from the first of them."""
    results = []
    for one in mechanisms:
        others = [values_of(other) for other in mechanisms if other.name == one.name]
        own = values_of(one)
        differing = [name for name, value in own.items() if any(other[name] != value for other in others)]
        if len(differing) > 1:
            differing = [name for name in differing if own[name] != others[0][name]]
        results.append(", ".join(f"{name} = {_shown(own[name])}" for name in differing if _tellable(own[name])))
    return results


def _tellable(value: object) -> bool:
    """Numbers and words of parameters are no values of the data; lists and sources may hold some."""
    return isinstance(value, int | float | Fraction | str)


def _shown(value: object) -> str:
    return show(value) if isinstance(value, int | float | Fraction) and not isinstance(value, bool) else str(value)


def _labels(criteria: Sequence[Sequence[AnyCriterion]]) -> list[str]:
    """What each list has that not every list has; `k = 5` alone where k belongs to one criterion only."""
    lists = [[words(one) for one in required] for required in criteria]
    common = set.intersection(*map(set, lists)) if len(lists) > 1 else set()
    owners: dict[str, set[str]] = {}
    for piece in (piece for own in lists for piece in own):
        name, _, inside = piece.partition(" (")
        for setting in inside.removesuffix(")").split(", "):
            owners.setdefault(setting.partition(" = ")[0], set()).add(name)

    def short(piece: str) -> str:
        inside = piece.partition(" (")[2].removesuffix(")")
        alone = all(len(owners[setting.partition(" = ")[0]]) == 1 for setting in inside.split(", "))
        return inside if inside and alone else piece

    return [", ".join(short(piece) for piece in own if piece not in common) for own in lists]


def _tried(
    wing: Wing[Data],
    data: Data,
    criteria: Sequence[AnyCriterion],
    mechanism: AnyMechanism,
    risk: AnyAttack,
    part: str,
    measure: AnyMeasure,
    key: Key,
    blank: Point,
    simulated: bool,
) -> Point:
    unable = [one.name for one in criteria if not registry.compatible(type(mechanism), type(one))]
    if unable:
        return replace(blank, why_not=f"{mechanism.name} cannot make {', '.join(unable)} hold")
    try:
        protected = mechanism.protect(data, list(criteria), key)
        failed = [str(finding) for one in criteria if (finding := one.check(protected.data)).failed]
        if failed:
            return replace(blank, why_not="; ".join(failed))
        risk = risk.knowing(mechanism, criteria)
        reached = None if simulated else _reached(risk.mount(protected.data), part)
        if reached is None:
            reached = _reached(risk.mount(protected.data, protected.truth(data)), part)
        lost = _number(measure.score(data, protected.data).value)
    except Infeasible as error:
        return replace(blank, why_not="; ".join([str(error).splitlines()[0], *error.blocking]))
    except SharewellError as error:
        return replace(blank, why_not=str(error).splitlines()[0])
    if reached is None or lost is None:
        nameless = risk.name if reached is None else measure.name
        return replace(blank, why_not=f"{nameless} gives no number here")
    size, whole = wing.size(protected.data), wing.size(data)
    counted = "snps" if "snps" in size and "snps" in whole else "rows"  # DNA of all people together has no records
    of_cells = "cells" in size and "cells" not in whole  # a table of counts shows no records, and withholds none
    gone = 0.0 if of_cells else max(0.0, 1 - size[counted] / max(1, whole[counted]))  # a noisy table may have more
    return replace(blank, risk=reached, loss=lost, classes=size.get("classes"), withheld=gone)


def _reached(finding: Finding, part: str) -> float | None:
    """The finding's value, or one of its details by name."""
    return _number(getattr(finding.details, part, None) if part else finding.value)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float | Fraction) and not isinstance(value, bool) else None


def _with_front(points: Sequence[Point], upwards: bool, safer: int = 1) -> tuple[Point, ...]:
    """Mark what nothing dominates. O(n²) for a handful of variants. Of some attacks (−1) a larger value is safer."""
    places = [
        None
        if p.risk is None or p.loss is None
        else (round(safer * p.risk, 12), round(-p.loss if upwards else p.loss, 12))
        for p in points
    ]
    known = [place for place in places if place is not None]

    def dominated(place: tuple[float, float]) -> bool:
        return any(o != place and o[0] <= place[0] and o[1] <= place[1] for o in known)

    return tuple(
        replace(p, best=place is not None and not dominated(place)) for p, place in zip(points, places, strict=True)
    )
