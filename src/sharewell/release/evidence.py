"""Named sources, found again by their hash: what a certificate says of a file is enough to recognise it anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sharewell.io.sources import Source, sha256
from sharewell.policy.algorithms import evidence
from sharewell.policy.model import Policy

NOT_AT_HAND = "the named source was not at hand: the certificate's word"


@dataclass(frozen=True)
class AtHand:
    """Where named sources may lie: folders to be searched, and files that are known already."""

    folders: Sequence[Path] = ()
    sources: Sequence[Source] = ()
    _hashes: dict[Path, str] = field(default_factory=dict, repr=False, compare=False)

    def resolve(self, algorithm: Any, parameters: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """The parameters with every named source opened, and the names of those that were not found."""
        opened, lacking = dict(parameters), []
        for name in evidence(algorithm):
            told = parameters.get(name)
            if told is None:
                continue
            found = self.find(told) if isinstance(told, Mapping) else None
            opened[name] = Source() if found is None else found
            if found is None:
                lacking.append(name)
        return opened, lacking

    def find(self, told: Mapping[str, Any]) -> Source | None:
        """The file with this hash, to be read as the certificate says."""
        for path, digest in self._files():
            if digest == told.get("sha256"):
                return Source(
                    path,
                    told.get("format", "csv"),
                    encoding=told.get("encoding"),
                    separator=told.get("separator"),
                    missing=tuple(told.get("missing", ())),
                    newlines=bool(told.get("newlines", False)),
                    columns=dict(told.get("columns", {})),
                )
        return None

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
                    except OSError:  # not ours to read, so not at hand
                        self._hashes[path] = ""
                yield path, self._hashes[path]


def sources_of(policy: Policy) -> list[Source]:
    """Every file that a criterion of the policy names."""
    named = [one.built for dataset in policy.datasets.values() for one in dataset.require]
    found = [getattr(built, name) for built in named for name in evidence(type(built))]
    return [source for source in found if isinstance(source, Source)]
