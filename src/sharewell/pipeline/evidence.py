"""Named sources, found again by their salted hash: who has the salt of a release recognises its files anywhere.

A steward's own hierarchy is such a source too: its file, or, for an order of values, the policy that spells it out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sharewell.errors import DataError, SharewellError
from sharewell.hierarchy.certified_names import OWN, digest
from sharewell.hierarchy.levels import Hierarchy
from sharewell.hierarchy.specs import from_spec
from sharewell.hierarchy.tree import Tree
from sharewell.io.cleaning import Cleaning, cleaning_digest
from sharewell.io.plain_files import sha256
from sharewell.io.sources import Source, sources_in
from sharewell.io.writing import read_bytes
from sharewell.io.yaml_positions import parse
from sharewell.parameters import values_of
from sharewell.pipeline.certificate import POLICY
from sharewell.pipeline.salted_hashes import SALTED, Salt
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.cleaning import all_cleanings
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.model import Policy
from sharewell.policy.sources import evidence

NOT_AT_HAND = "the named source was not available: only the certificate says so"
NO_SALT = (
    "named sources are recognised by internal/salt.json or by the secret key, and neither was available:"
    " only the certificate says so"
)


@dataclass(frozen=True)
class EvidenceStore:
    """Where named sources may lie: folders to be searched, and files that are known already."""

    folders: Sequence[Path] = ()
    sources: Sequence[Source] = ()
    hierarchies: Sequence[Hierarchy] = ()
    salt: Salt | None = None
    """Without it no file is recognised."""
    _hashes: dict[Path, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def lacking_note(self) -> str:
        """Why a criterion whose source is not at hand could not be re-checked."""
        return NO_SALT if self.salt is None else NOT_AT_HAND

    def resolve(self, algorithm: type, parameters: Mapping[str, Json]) -> tuple[JsonObject, list[str]]:
        """The parameters with every named source opened, and the names of those that were not found."""
        opened, lacking = dict(parameters), []
        for name in evidence(algorithm):
            claimed = parameters.get(name)
            if claimed is None:
                continue
            every = claimed if isinstance(claimed, list) else [claimed]
            results = [self.find(one) if isinstance(one, Mapping) else None for one in every]
            known = [Source() if one is None else one for one in results]
            opened[name] = known if isinstance(claimed, list) else known[0]
            if None in results:
                lacking.append(name)
        return opened, lacking

    def find(self, claim: Mapping[str, Json]) -> Source | None:
        """The file with this salted hash, to be read as the certificate says."""
        wanted = claim.get(SALTED)
        if self.salt is None or not wanted:
            return None
        for path, sha in self._files():
            if self.salt.salted(sha) == wanted:
                clean = self._cleaning(claim.get("clean"))
                if clean is None:
                    return None
                return Source(
                    path,
                    claim.get("format", "csv"),
                    encoding=claim.get("encoding"),
                    separator=claim.get("separator"),
                    missing=tuple(claim.get("missing", ())),
                    newlines=bool(claim.get("newlines", False)),
                    decimal=claim.get("decimal"),
                    thousands=claim.get("thousands"),
                    day_first=claim.get("day_first"),
                    sheet=claim.get("sheet"),
                    skip=int(claim.get("skip", 0)),
                    columns=dict(claim.get("columns", {})),
                    multiallelic=claim.get("multiallelic", "refuse"),
                    haploid=claim.get("haploid", "refuse"),
                    clean=clean,
                )
        return None

    def _cleaning(self, claimed: Json) -> Mapping[str, Cleaning] | None:
        """How the columns of a named source are cleaned: as a source or a policy at hand says; None if none does.

        The certificate has the salted hash alone, for recoded texts are cell values.
        """
        if claimed is None:
            return {}
        wanted, salt = _inside(claimed, SALTED), self.salt
        written = (clean for folder in self.folders for clean in _cleanings(folder / POLICY))
        known = (*(source.clean for source in self.sources), *written)
        if salt is None or not wanted:
            return None
        return next((clean for clean in known if salt.salted(cleaning_digest(clean)) == wanted), None)

    def trees(self, columns: Mapping[str, Mapping[str, Json]]) -> tuple[dict[str, Hierarchy], list[str]]:
        """The steward's own hierarchies of a release by column, and the columns whose hierarchy was not found."""
        result, lacking = {}, []
        for name, facts in columns.items():
            if facts.get("hierarchy") == OWN:
                tree = self._tree(facts["tree"]) if isinstance(facts.get("tree"), Mapping) else None
                if tree is None:
                    lacking.append(name)
                else:
                    result[name] = tree
        return result, lacking

    def _tree(self, claim: Mapping[str, Json]) -> Hierarchy | None:
        source = self.find(claim)
        if source is not None and source.path is not None:
            return Tree.from_csv(source.path, claim.get("on_gap", "refuse"), claim.get("separator"))
        orders = (order for folder in self.folders for order in _orders(folder / POLICY))
        wanted, salt = claim.get(SALTED), self.salt
        if salt is None or not wanted:
            return None
        return next((one for one in (*self.hierarchies, *orders) if salt.salted(digest(one)) == wanted), None)

    def _files(self) -> Iterator[tuple[Path, str]]:
        for source in self.sources:
            if source.path is not None:
                yield source.path, source.sha256
        for folder in self.folders:
            for path in sorted(folder.rglob("*")):
                if not path.is_file():
                    continue
                if path not in self._hashes:
                    try:
                        self._hashes[path] = sha256(path)
                    except (OSError, DataError):  # not ours to read, so not at hand
                        self._hashes[path] = ""
                yield path, self._hashes[path]


def sources_of(policy: Policy) -> list[Source]:
    """Every file that a criterion of the policy names, and every hierarchy of the steward's own."""
    datasets = policy.datasets.values()
    named: list[object] = [one.built for dataset in datasets for one in dataset.require]
    named += [one.built for dataset in datasets for rule in dataset.columns.values() for one in rule.require]
    named += [one.built for one in policy.person.require] if policy.person is not None else []
    results = [values_of(built)[name] for built in named for name in evidence(type(built))]
    trees = [Source(policy.path.parent / str(spec["csv"]), "csv") for spec in _specs(policy) if "csv" in spec]
    return [source for value in results for source in sources_in(value)] + trees


def orders_of(policy: Policy) -> list[Hierarchy]:
    """Every order of values that the policy spells out."""
    return [from_spec(spec, policy.path.parent) for spec in _specs(policy) if "order" in spec]


def _specs(policy: Policy) -> list[Mapping[str, Json]]:
    rules = [rule for dataset in policy.datasets.values() for rule in dataset.columns.values()]
    return [rule.hierarchy for rule in rules if isinstance(rule.hierarchy, Mapping)]


def _orders(path: Path) -> Iterator[Hierarchy]:
    """The same from a policy's text alone: to load it would bring in the mechanism, and this is for judges."""
    plain = parse(read_bytes(path).decode("utf-8", "replace")).plain if path.is_file() else None
    for dataset in _values(_inside(plain, "datasets")):
        for column in _values(_inside(dataset, "columns")):
            spec = _inside(column, "hierarchy")
            if isinstance(spec, Mapping) and "order" in spec:
                try:
                    yield from_spec(spec, path.parent)
                except SharewellError:  # another text than the one that was followed
                    continue


def _cleanings(path: Path) -> Iterator[Mapping[str, Cleaning]]:
    """Every `clean` of a policy's text."""
    if path.is_file():
        reading = MistakeCollector(parse(read_bytes(path).decode("utf-8", "replace")), path.parent)
        yield from all_cleanings(reading)


def _inside(plain: Json, key: str) -> Json:
    return plain.get(key) if isinstance(plain, Mapping) else None


def _values(plain: Json) -> list[Json]:
    return list(plain.values()) if isinstance(plain, Mapping) else []
