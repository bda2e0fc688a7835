"""Load a policy: YAML to a typed `Policy`, or one PolicyError that lists every mistake with its line and column.

`load` reads the policy file alone. `check` also looks at the data that the policy names: headers and hierarchies.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from sharewell.errors import DataError, PolicyError
from sharewell.io.yaml_positions import Document
from sharewell.io.yaml_positions import Path as Place
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.data_check import against_data
from sharewell.policy.datasets import dataset
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.model import Policy, Profile, Release, Secrets, Write
from sharewell.policy.packages import refuse_missing_packages
from sharewell.policy.person_tie import person_tie, tied_datasets
from sharewell.policy.profiles import profile as profile_of
from sharewell.policy.secrets import is_reference
from sharewell.policy.specs import PolicySpec, ReleaseSpec, SecretsSpec, WriteSpec

VERSION = 1
_SAFE_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?|audit\.jsonl", re.IGNORECASE)
"""Names that Windows keeps for devices, and the audit trail's own."""
_PUBLISHED = re.compile(r"readme|dictionary|certificate", re.IGNORECASE)
"""Files that every release publishes; a page of a dataset with such a name would stand in their place."""


def load(path: Path | str) -> Policy:
    """The policy of a file. Its data is not looked at."""
    policy, reading = _read(Path(path))
    if reading.mistakes:
        raise PolicyError(reading.mistakes, Path(path).name)
    return policy


def check(path: Path | str) -> Policy:
    """The same, and the headers and hierarchies of its data too; every mistake of both at once."""
    policy, reading = _read(Path(path))
    if not reading.mistakes:
        refuse_missing_packages(policy)
    mistakes = [*reading.mistakes, *against_data(policy)]
    if mistakes and all(mistake.of_data for mistake in mistakes):
        raise DataError("\n".join(f"{Path(path).name}:{mistake}" for mistake in sorted(dict.fromkeys(mistakes))))
    if mistakes:
        raise PolicyError(list(dict.fromkeys(mistakes)), Path(path).name)
    return policy


def _read(path: Path) -> tuple[Policy, MistakeCollector]:
    """The policy as far as it can be understood, and every mistake."""
    reading, raw = MistakeCollector.of_file(path)
    return _policy(reading, path, hashlib.sha256(raw).hexdigest()), reading


def _policy(reading: MistakeCollector, path: Path, sha256: str) -> Policy:
    document: Document = reading.document
    if document.plain is None and document.mistakes:
        return Policy(path, sha256, Release(""), {})
    plain = {} if document.plain is None else document.plain
    fields = reading.fields(PolicySpec, plain, ())
    _version(reading, fields)
    profile = _profile(reading, fields.get("profile"))
    understood = [
        (name, dataset(reading, name, given, profile)) for name, given in _named_datasets(reading, fields).items()
    ]
    datasets = {name: one.dataset for name, one in understood if one.dataset is not None}
    person = person_tie(reading, fields.get("person"), datasets)
    return Policy(
        path,
        sha256,
        _release(reading, fields),
        tied_datasets(person, datasets),
        _write(reading, fields.get("write")),
        _secrets(reading, fields.get("secrets")),
        profile,
        person,
        tuple(text for _, one in understood for text in one.deviations),
        tuple(text for _, one in understood for text in one.decisions),
        plain if isinstance(plain, dict) else {},
        document.positions,
    )


def _version(reading: MistakeCollector, fields: JsonObject) -> None:
    version = fields.get("sharewell")
    if version is not None and (type(version) is not int or version != VERSION):
        reading.mistake(("sharewell",), "another version of the policy language", f"write sharewell: {VERSION}")


def _profile(reading: MistakeCollector, name: str | None) -> Profile | None:
    if name is None:
        return None
    try:
        return profile_of(name)
    except PolicyError as error:
        reading.borrow(error, ("profile",))
        return None


def _named_datasets(reading: MistakeCollector, fields: JsonObject) -> JsonObject:
    given: JsonObject = fields.get("datasets", {})
    if "datasets" in fields and not given:
        reading.mistake(("datasets",), "there is no dataset", "name one, with kind, read, columns, require and using")
    for name in given:
        if sum(other.lower() == name.lower() for other in given) > 1:
            reading.mistake(("datasets", name), "two names that differ only in case", "some file systems mix them up")
        _safe(reading, name, ("datasets", name), "a dataset's name")
        if _PUBLISHED.fullmatch(name):
            hint = "every release has a file of this name; name the dataset after what it holds"
            reading.mistake(("datasets", name), "a name that the release itself needs", hint)
    return given


def _safe(reading: MistakeCollector, name: str, path: Place, what: str) -> None:
    """Names become folders and files."""
    if not _SAFE_NAME.fullmatch(name) or _RESERVED.fullmatch(name):
        hint = "letters, digits, dot, hyphen and underscore, at most 100, such as diabetes-2026"
        reading.mistake(path, f"{what} must be usable as a folder name", hint)


def _release(reading: MistakeCollector, fields: JsonObject) -> Release:
    if "release" not in fields:
        return Release("")
    result = reading.fields(ReleaseSpec, fields["release"], ("release",))
    if "name" in result:
        _safe(reading, result["name"], ("release", "name"), "the release's name")
    result["after"] = tuple(reading.base / folder for folder in result.get("after", ()))
    return Release(**{"name": "", **result})


def _write(reading: MistakeCollector, given: Json) -> Write:
    """The folder stays as written; it is relative to the policy."""
    if given is None:
        return Write()
    before = len(reading.mistakes)
    result = reading.fields(WriteSpec, given, ("write",))
    if len(result) != 1 and len(reading.mistakes) == before:
        reading.mistake(("write",), f"{len(result)} formats where one was expected", "such as write: {parquet: out/}")
    if "csv" in result:
        return Write("csv", Path(result["csv"]))
    return Write("parquet", Path(result["parquet"])) if "parquet" in result else Write()


def _secrets(reading: MistakeCollector, given: Json) -> Secrets:
    """References only. Whatever else stands here may be a secret and is not repeated, keys included."""
    if given is None:
        return Secrets()
    result = reading.fields(SecretsSpec, given, ("secrets",), hide=True)
    for name, reference in list(result.items()):
        if not is_reference(reference):
            what = "a secret must not stand in a policy, only where it lies"
            reading.mistake(("secrets", name), what, "write env:NAME or file:PATH")
            del result[name]
    return Secrets(**result)
