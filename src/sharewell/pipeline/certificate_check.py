"""The form of a certificate: parts that every one has, and what can stand in them. Nothing is compared with a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from sharewell.keys import KDF
from sharewell.pipeline.certificate import PARTS, SALTING
from sharewell.pipeline.salted_hashes import SALTED
from sharewell.plain_data import Json
from sharewell.policy.extracted import CRITERION
from sharewell.policy.model import Publish
from sharewell.registry import TEXT_KIND

_HASH = re.compile(r"[0-9a-f]{64}")
_NONCE = re.compile(r"[0-9a-f]{32}")


def form_problems(certificate: Mapping[str, Json]) -> Iterator[str]:
    """What no certificate looks like. Raises LookupError or TypeError where it has another shape altogether."""
    missing = [part for part in PARTS if part not in certificate]
    if missing:
        yield f"without {', '.join(missing)}"
    policy, salt, key = certificate["policy"], certificate["salt"], certificate["key_commitment"]
    if not _is(_HASH, policy[SALTED]) or not isinstance(policy["approved_by"], str | None):
        yield "the hash of the policy, or its approver, is malformed"
    if salt["hash"] != SALTING or not _is(_NONCE, salt["nonce"]):
        yield "it does not say how hashes are salted"
    if not _is(_HASH, key["commitment"]) or key["kdf"] not in (None, dict(KDF)):
        yield "its commitment to a key is not valid"
    if not all(isinstance(one["name"], str) and _is(_HASH, one["certificate_sha256"]) for one in certificate["after"]):
        yield "it does not say which earlier releases it was judged with"
    versions = certificate["versions"]
    if not {"python", "sharewell"} <= {*versions} or not all(isinstance(one, str) for one in versions.values()):
        yield "it does not say which versions made it"
    if any(not isinstance(line, str) for part in ("deviations", "decisions") for line in certificate[part]):
        yield "deviations or decisions are not text"
    yield from _policy_problems(policy["redacted"]["datasets"], certificate["datasets"])


def _policy_problems(datasets: Mapping[str, Json], claims: Mapping[str, Json]) -> Iterator[str]:
    """The embedded policy, dataset by dataset, and the labels of files, subjects and people in all of them."""
    for name, asked in datasets.items():
        unseen, evidence = asked["columns_not_published"], claims.get(name, {}).get("persons_sha256")
        if asked["subject"] not in get_args(Publish):
            yield f"what is published of the subject of {name} is none of what a policy can ask for"
        if any(asked[part] != sorted(set(asked[part])) for part in ("people", "subjects")):
            yield f"the labels of the people of {name} are not in order"
        if type(unseen) is not int or unseen < 0:
            yield f"the number of columns of {name} that are not published is not a number"
        required = [(one["parameters"], one["from_profile"]) for one in asked["require"]]
        if not all(isinstance(given, Mapping) and type(added) is bool for given, added in required):
            yield f"what is required of {name} is not told as a policy tells it"
        # Notes that are linked by a pseudonym keep the names of their people in internal/.
        kept = asked["persons"] == "internal" or (asked["persons"] == "linked" and asked["kind"] == TEXT_KIND)
        if kept != _is(_HASH, evidence) and name in claims:
            yield f"the hash of the evidence about persons of {name} is missing, or there is none to have a hash"
    extracted = any(item["name"] == CRITERION for asked in datasets.values() for item in asked["require"])
    if not extracted and not all(asked["people"] for asked in datasets.values()):
        yield "a dataset is said to read no file"
    for part in ("people", "subjects"):
        if not _labels([label for asked in datasets.values() for label in asked[part]]):
            yield f"its labels of {part} are not numbered one after the other"
    if not _labels([asked["counted"] for asked in datasets.values() if "counted" in asked]):
        yield "its labels of counted people are not numbered one after the other"


def _labels(given: Sequence[Json]) -> bool:
    """Labels number what they stand for in the order in which it is met: none is left out."""
    return all(type(label) is int for label in given) and sorted(set(given)) == list(range(len(set(given))))


def _is(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None
