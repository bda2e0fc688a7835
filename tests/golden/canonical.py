"""Hashes of published files, and shapes of JSON: what must not change, without what changes of itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

Digest = Callable[[Path], str]


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def plain_digest(value: Any) -> str:
    """The hash of a JSON value, whatever the order of its keys."""
    return sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode())


def public_digests(
    public: Path, drawn: dict[str, Digest] | None = None, drawn_evidence: Collection[str] = ()
) -> dict[str, str]:
    """Each file of a public folder with its hash. Four are not hashed as they are:

    - what holds noise of the machine's own randomness (`drawn`): by what of it is not drawn;
    - certificate.json: its JSON without the versions of software, with the hashes given here for files of `drawn`, and
      without that of the evidence of datasets whose evidence is drawn too;
    - SHA256SUMS: the names in it, after its hashes were compared with the files;
    - certificate.sig: without the signature, which covers the versions. Whether it is right is for `verify` to say.
    """
    drawn = drawn or {}
    found = {}
    for path in sorted(public.iterdir()):
        name = path.name
        if name in drawn:
            found[name] = drawn[name](path)
        elif name == "certificate.json":
            told = json.loads(path.read_text("utf-8"))
            assert "sharewell" in told.pop("versions")
            told["files"] |= {name: digest(public / name) for name, digest in drawn.items()}
            for dataset in drawn_evidence:
                assert told["datasets"][dataset].pop("persons_sha256")
            found[name] = plain_digest(told)
        elif name == "certificate.sig":
            told = json.loads(path.read_text("utf-8"))
            assert told.pop("signature")
            found[name] = plain_digest(told)
        elif name == "SHA256SUMS":
            found[name] = plain_digest(_names_of_sums(path))
        else:
            found[name] = sha256(path.read_bytes())
    return found


def _names_of_sums(sums: Path) -> list[str]:
    names = []
    for line in sums.read_text("utf-8").splitlines():
        told, _, name = line.partition("  ")
        assert told == sha256((sums.parent / name).read_bytes()), name
        names.append(name)
    return names


def without_columns(*columns: str) -> Digest:
    """The hash of a Parquet file's schema and of its other columns."""

    def digest(path: Path) -> str:
        import pyarrow.parquet as pq

        table = pq.read_table(path)
        schema = [[field.name, str(field.type)] for field in table.schema]
        return plain_digest([schema, table.drop_columns(list(columns)).to_pydict()])

    return digest


def shape(value: Any) -> Any:
    """Keys and types of a JSON value; a list has the shape of all its items together.

    >>> shape({"a": 1, "b": [{"x": 1.5}, {"x": None, "y": "?"}]})
    {'a': 'integer', 'b': [{'x': 'null or number', 'y?': 'string'}]}
    """
    return _together([value])


_NAMES = {type(None): "null", bool: "boolean", int: "integer", float: "number", str: "string"}


def _together(values: list[Any]) -> Any:
    """One shape for several values; a key that some records lack ends in a question mark."""
    records = [one for one in values if isinstance(one, dict)]
    lists = [one for one in values if isinstance(one, list)]
    simple = sorted({_NAMES[type(one)] for one in values if not isinstance(one, dict | list)})
    found: list[Any] = [" or ".join(simple)] if simple else []
    if records:
        found.append(_one_record(records))
    if lists:
        items = [item for one in lists for item in one]
        found.append([_together(items)] if items else [])
    return found[0] if len(found) == 1 else {"one of": found}


def _one_record(records: list[dict[str, Any]]) -> dict[str, Any]:
    one = {}
    for key in sorted({key for record in records for key in record}):
        having = [record[key] for record in records if key in record]
        one[key if len(having) == len(records) else f"{key}?"] = _together(having)
    return one
