"""What random choices are tied to: release and recipient, dataset, mechanism with its parameters, and the data itself.

Two releases that share noise, shifts or pseudonyms can be subtracted from each other, or joined. So nothing is drawn
from the steward's key itself: a pipeline derives one key for each dataset of a release (`Key.for_release`), and every
mechanism that draws derives its own from that one here. The same release of the same rows, in any order, draws the
same; whatever else differs in name, parameters or content draws anew.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Noise:
...     columns: dict[str, float]
...     name = "noise"
>>> key = Key(b"an example key of enough bytes..")
>>> half, whole = (drawing_key(key, Noise({"age": amount}), "digest of the rows") for amount in (0.5, 1.0))
>>> half.digest("draw") == whole.digest("draw")
False
>>> half.digest("draw") == drawing_key(key, Noise({"age": 0.5}), "digest of the rows").digest("draw")
True
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Set
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sharewell.errors import DataError
from sharewell.io.cleaning import cleaning_digest
from sharewell.io.sources import DNA, Source
from sharewell.keys import Key
from sharewell.plain_data import Json
from sharewell.row_digest import RowDigest

if TYPE_CHECKING:
    from sharewell.policy.model import Dataset


class Named(Protocol):
    """An algorithm, by its name in a policy."""

    @property
    def name(self) -> str: ...


@dataclasses.dataclass(frozen=True)
class _Unsaid:
    """A kind of data that ties its choices to nothing more than its columns and algorithms."""


_WRITTEN_UNSAID = {"CodeColumns": {"visit": None, "date": None, "sequence": None, "system": None, "unit": "person"}}
"""How it stands in a key: as in the first releases, so that each of them can be made again with its key."""


def drawing_key(key: Key, mechanism: Named, content: str) -> Key:
    """The key that a mechanism draws with: another one for other parameters or other data."""
    return Key(key.digest("mechanism", mechanism.name, described(mechanism), content))


def dataset_key(key: Key, release: str, dataset: Dataset, content: str) -> Key:
    """The key of one dataset of a release: of what its policy says about the published data, and of its rows.

    What only measures a release (attacks, utility), where files lie and what secrets are called is no part of it.
    """
    rules = [dataset.kind, dataset.columns, dataset.rest, dataset.publish, dataset.own.tied_to() or _Unsaid()]
    if dataset.read.clean:
        rules.append(dataset.read.clean)
    algorithms = [[one.name, one.parameters, one.built] for one in (*dataset.require, dataset.using)]
    return key.for_release(release, dataset.name, described([rules, algorithms]), content)


def described(thing: object) -> str:
    """An algorithm or a rule with all its parameters, as one text; equal ones give the same text in every process."""
    return json.dumps(_plain(thing), sort_keys=True, separators=(",", ":"))


def _plain(thing: object) -> Json:
    if isinstance(thing, Source):
        return _source(thing)
    if isinstance(thing, _Unsaid):
        return _WRITTEN_UNSAID
    if isinstance(content := getattr(thing, "content", None), str):
        return {"content": content}
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        own = {field.name: _plain(getattr(thing, field.name)) for field in dataclasses.fields(thing) if field.compare}
        return {getattr(thing, "drawn_as", type(thing).__name__): own}
    if isinstance(thing, Mapping):
        return {"mapping": sorted([json.dumps(_plain(name), sort_keys=True), _plain(v)] for name, v in thing.items())}
    if isinstance(thing, Set):
        return {"set": sorted(json.dumps(_plain(one), sort_keys=True) for one in thing)}
    if isinstance(thing, list | tuple):
        return [_plain(one) for one in thing]
    return _one(thing)


def _one(thing: object) -> Json:
    """A single value. What is neither a number nor a text is known by its type and its name."""
    if isinstance(thing, bool | None):
        return thing
    if isinstance(thing, int | float | Fraction | Decimal | np.number):
        exact = Fraction(str(thing)) if np.isfinite(float(thing)) else str(thing)
        return {"number": str(exact)}
    if isinstance(thing, str):
        return str(thing)
    if isinstance(thing, Path):
        return {"path": thing.name}
    if isinstance(thing, bytes):
        return {"bytes": hashlib.sha256(thing).hexdigest()}
    if isinstance(thing, np.ndarray):
        raw = repr(thing.tolist()).encode() if thing.dtype.hasobject else np.ascontiguousarray(thing).tobytes()
        return {"array": hashlib.sha256(raw).hexdigest()}
    return {"object": type(thing).__qualname__, "name": str(getattr(thing, "name", ""))}


def _source(source: Source) -> dict[str, str]:
    """A file by what it holds, wherever it lies and however it is sorted."""
    if source.path is not None and (source.format in DNA or not source.path.is_file()):
        return {"file": source.sha256 if source.path.is_file() else source.path.name}
    if source.path is None and source.frame is None:
        return {"file": ""}
    digest = RowDigest()
    try:
        for piece in source.batches() if source.path is not None else [source.read()]:
            digest.add({name: piece[name] for name in piece.column_names})
    except DataError:  # no table, such as a model: whoever needs it says what is wrong with it
        return {"file": source.sha256 if source.path is not None else ""}
    cleaned = {"clean": cleaning_digest(source.clean)} if source.clean else {}
    return {"rows": digest.hexdigest()} | cleaned
