"""Attacks on a file without a policy: what attackers would learn if it were published as it stands.

A file of a release is opened as its certificate says. Any other file is described as a dataset of a policy is: its kind
of data, roles of columns, keys of its kind. Nothing is written, and findings hold no cell value.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sharewell import registry
from sharewell.errors import DataError, PolicyError
from sharewell.findings import Finding
from sharewell.io.recognition import NOTES_FOLDER
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import parse
from sharewell.parameters import parameters_of
from sharewell.pipeline import sized_steps
from sharewell.pipeline.certificate import CERTIFICATE, Layout, read_certificate
from sharewell.pipeline.evidence import EvidenceStore
from sharewell.pipeline.reopen import reopen
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.algorithms import listed
from sharewell.policy.datasets import dataset as understood
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.model import Auto, ConfiguredAlgorithm, Dataset
from sharewell.policy.sources import FOLDER, evidence
from sharewell.progress import PartsOf, Progress
from sharewell.protocols import AnyAttack
from sharewell.wing import Claim, Data, Records, Wing

_PLACE = "attack"
"""The name of the command, in front of mistakes in what it was given."""
_ITS_RELEASE = "name the file in the public folder of its release"


@dataclass(frozen=True)
class Other:
    """An attack that was not mounted, and which parameters it would need for that."""

    name: str
    needs: tuple[str, ...]
    summary: str


@dataclass(frozen=True)
class Attacked:
    """What attackers reach in one dataset."""

    name: str
    kind: str
    rows: int
    released: bool
    """Is it a published file, rather than data as it stands?"""
    findings: tuple[Finding, ...]
    others: tuple[Other, ...]

    def to_json(self) -> JsonObject:
        return {
            "kind": self.kind,
            "rows": self.rows,
            "released": self.released,
            "attacks": [one.to_json() for one in self.findings],
            "others": {one.name: {"needs": list(one.needs), "summary": one.summary} for one in self.others},
        }


def attack_released(
    path: Path,
    attacks: Sequence[Json] = (),
    against: Mapping[str, Source] | None = None,
    progress: Progress = lambda step: None,
) -> dict[str, Attacked] | None:
    """A file in the public folder of a release, opened as its certificate says; None for any other file."""
    if not (path.parent / CERTIFICATE).is_file():
        return None
    claims = read_certificate(path.parent).get("datasets")
    for name, claimed in claims.items() if isinstance(claims, dict) else ():
        claim = Claim.from_json(claimed)
        if claim.file == path.name:
            data, _, _ = reopen(Layout(path.parent, None), name, claim, EvidenceStore())
            blank = Dataset(name, claim.kind, Source.named(path), {}, (), ConfiguredAlgorithm("", {}, Auto(())))
            return {name: _attacked(blank, data, attacks, against or {}, True, progress)}
    return None


def attack_file(
    source: Source,
    described: Mapping[str, JsonObject],
    attacks: Sequence[Json] = (),
    *,
    against: Mapping[str, Source] | None = None,
    published: bool = False,
    base: Path | None = None,
    progress: Progress = lambda step: None,
) -> dict[str, Attacked]:
    """Every dataset in a file, attacked as named, or else by whatever fits it.

    described: name → kind, columns and other keys, as under `datasets:` of a policy. attacks: names, or names with
    parameters. against: lists that an attacker has, by the parameter that takes them, such as population or reference.
    published: the file is a release, whose cells may be ranges or hidden. base: the folder from which paths start.
    """
    results = {}
    for name, given in described.items():
        _refuse_rows(name, str(given.get("kind", "")))
        dataset = _dataset(name, source, given, base or Path.cwd())
        wing = registry.wing(dataset.kind)
        data = wing.open_published(dataset) if published else None
        if published and data is None:
            problem = f"--published — a published file of kind {dataset.kind} cannot be read without its certificate"
            raise PolicyError(f"{problem} — {_ITS_RELEASE}")
        progress(sized_steps.reading(dataset))
        opened = wing.open(dataset, base or Path.cwd()) if data is None else data
        results[name] = _attacked(dataset, opened, attacks, against or {}, data is not None, progress)
    return results


def _refuse_rows(name: str, kind: str) -> None:
    """Of a kind whose attackers have answers alone, rows cannot be attacked as they stand."""
    if kind in registry.WINGS and all(one.load().released_only for one in registry.entries(kind, "attacks")):
        problem = f"attacks of kind {kind} are mounted on what a release answers or publishes, not on rows"
        raise DataError(f"{name} — {problem} — {_ITS_RELEASE}, or attack the rows as --kind {registry.USUAL_KIND}")


def _dataset(name: str, source: Source, given: JsonObject, base: Path) -> Dataset:
    """As a policy would describe it, without what is about a release."""
    assert source.path is not None
    read = {FOLDER if source.format == NOTES_FOLDER else source.format: str(source.path.absolute())}
    reading = _reading({"datasets": {name: {**given, "read": read}}}, base)
    question = understood(reading, name, reading.document.plain["datasets"][name], None, attacked=True)
    if reading.mistakes:
        raise PolicyError([replace(one, line=0, column=0) for one in reading.mistakes], _PLACE)
    assert question.dataset is not None
    return replace(question.dataset, read=source)


def _reading(plain: Json, base: Path) -> MistakeCollector:
    document = parse(json.dumps(plain, ensure_ascii=False, default=str))
    return MistakeCollector(document, base.absolute(), list(document.mistakes))


def _attacked(
    dataset: Dataset,
    data: Records,
    named: Sequence[Json],
    against: Mapping[str, Source],
    released: bool,
    progress: Progress,
) -> Attacked:
    wing = registry.wing(dataset.kind)
    fitting = _named(dataset, named, against) if named else _fitting(wing, dataset, data, against)
    mounted = [one for one in fitting if named or released or not one.released_only]
    begin = PartsOf(f"attacking {dataset.name}", len(mounted), progress)
    findings = []
    for one in mounted:
        begin(one.name, sized_steps.algorithm_work(dataset.kind, one.name), sized_steps.cells(dataset, data))
        findings.append(_mounted(wing, one, data, released, refusing=bool(named)))
    others = tuple(_others(dataset.kind, {one.name for one in mounted}))
    return Attacked(dataset.name, dataset.kind, data.rows, released, tuple(findings), others)


def _mounted(wing: Wing[Data], attack: AnyAttack, data: Data, released: bool, *, refusing: bool) -> Finding:
    """What an attack reaches; one that nobody named and that cannot be mounted says why."""
    if attack.released_only and not released:
        return Finding(attack.name, None, note="is mounted on the output of a mechanism, and this is the original data")
    try:
        return attack.mount(data) if released else wing.attack_unprotected(attack, data)
    except (PolicyError, DataError) as error:
        if refusing:
            raise
        return Finding(attack.name, None, note=str(error).splitlines()[0])


def _named(dataset: Dataset, named: Sequence[Json], against: Mapping[str, Source]) -> list[AnyAttack]:
    """Attacks with their parameters, and the lists that they take where those say none."""
    items = [_armed(dataset.kind, item, against) for item in named]
    reading = _reading({"datasets": {dataset.name: {"kind": dataset.kind, "attacks": items}}}, Path.cwd())
    items = reading.document.plain["datasets"][dataset.name]["attacks"]
    result = listed(reading, dataset.kind, "attacks", items, ("datasets", dataset.name, "attacks"))
    if reading.mistakes:
        raise PolicyError([replace(one, line=0, column=0) for one in reading.mistakes], _PLACE)
    return [one.built for one in result]


def _armed(kind: str, item: Json, against: Mapping[str, Source]) -> Json:
    name = item if isinstance(item, str) else next(iter(item), "") if isinstance(item, dict) else ""
    if not name or not isinstance(name, str):
        return item
    given = item[name] if isinstance(item, dict) else {}
    taken = evidence(registry.lookup(kind, "attacks", name))
    more = {key: {one.format: str(one.path)} for key, one in against.items() if key in taken}
    return {name: {**more, **(given or {})}} if isinstance(given, dict | None) and (more or given) else item


def _fitting(wing: Wing[Data], dataset: Dataset, data: Data, against: Mapping[str, Source]) -> list[AnyAttack]:
    """The usual attack, those of every release, those that a draft names, and those that take a list that is there."""
    axes = wing.axes(dataset, data)
    usual = wing.usual_risk.partition(".")[0]
    armed = [
        entry.name
        for entry in registry.entries(dataset.kind, "attacks")
        if set(against) & set(evidence(entry.load())) and not set(_needs(entry.load())) - set(against)
    ]
    results: dict[str, AnyAttack] = {one.name: one for one in _named(dataset, armed, against)} if armed else {}
    for one in (*(one.built for one in dataset.attacks), *([axes.attack] if axes is not None else ())):
        results.setdefault(one.name, one)
    if axes is None and not _needs(registry.lookup(dataset.kind, "attacks", usual)):
        results.setdefault(usual, registry.lookup(dataset.kind, "attacks", usual)())
    for one in wing.default_attacks(dataset, data):
        results.setdefault(one.name, one)
    return list(results.values())


def _needs(attack: type) -> tuple[str, ...]:
    return tuple(one.name for one in parameters_of(attack) if one.required)


def _others(kind: str, mounted: set[str]) -> Iterator[Other]:
    for entry in registry.entries(kind, "attacks"):
        if entry.name not in mounted:
            yield Other(entry.name, _needs(entry.load()), entry.summary)
