"""A release as the library makes it: random patients, Mondrian, and what it found, as plain JSON."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell.findings import Finding, Tier
from sharewell.tables import (
    NCP,
    Discernibility,
    KAnonymity,
    LDiversity,
    Linkage,
    Mondrian,
    Prosecutor,
    Table,
)

DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


@cache
def _release() -> str:
    rng = np.random.default_rng(7)
    n = 1500
    people = pa.table(
        {
            "age": rng.integers(0, 95, n),
            "sex": rng.choice(["F", "M"], n),
            "zip": [f"02{v}" for v in rng.integers(100, 140, n)],
            "diagnosis": rng.choice(["asthma", "diabetes", "flu", "gout", "none"], n),
        }
    )
    quasi = ["age", "sex", "zip"]
    before = Table.of(people, quasi=quasi, sensitive=["diagnosis"])
    protected = Mondrian(suppress=0.02).protect(before, must=[KAnonymity(5), LDiversity(2)])
    after = protected.data
    register = people.select(["age", "sex"])
    reached = KAnonymity(1).check(before)
    plain = Finding("k-anonymity", reached.value, unit=reached.unit, details=reached.details)
    criteria = [KAnonymity(5).check(after), LDiversity(2).check(after)]
    score = NCP().score(before, after)
    mean = Fraction(after.classes.count, after.rows)
    average = Finding.judge("average risk", mean, "≤", Fraction(1, 5), unit="probability")
    columns: dict[str, Any] = {}
    for name in people.column_names:
        role = "sensitive" if name == "diagnosis" else "quasi"
        columns[name] = {
            "role": role,
            "kind": "number" if name == "age" else "text",
            "style": {"age": "range", "diagnosis": None}.get(name, "set"),
            "hierarchy": None,
            "distinct_before": len(set(people[name].to_pylist())),
            "distinct_after": len(set(after.arrow[name].to_pylist())),
            "missing_before": 0,
            "exact_share": score.details.exact_cells.get(name),
        }
    found = {
        "kind": "tables",
        "before": {"rows": n, "persons": n, "risks": [plain.to_json(), Prosecutor().mount(before).to_json()]},
        "after": {
            "rows": after.rows,
            "persons": after.rows,
            "classes": after.classes.count,
            "suppressed_records": n - after.rows,
            "suppressed_persons": n - after.rows,
        },
        "columns": {"patient_id": {"role": "drop", "kind": "text"}, **columns},
        "criteria": [one.to_json() for one in [*criteria, average]],
        "attacks": [
            {"name": "prosecutor", "before": None, "after": Prosecutor().mount(after).to_json()},
            {
                "name": "linkage",
                "before": Linkage(register).mount(before).to_json(),
                "after": Linkage(register).mount(after).to_json(),
            },
        ],
        "utility": [score.to_json(), Discernibility().score(before, after).to_json()],
        "mechanism": {
            "name": "mondrian",
            "parameters": {"split": "gain", "suppress": 0.02},
            "details": {"classes": after.classes.count, "depth": 8},
        },
    }
    tiers = [Tier.RECIPIENT, Tier.STEWARD, Tier.ATTESTED]
    claims = [one.at(tier).to_json() for one, tier in zip([*criteria, average], tiers, strict=True)]
    certificate = {
        "sharewell": 2,
        "version": "0.1.0",
        "release": {"name": "diabetes-2026", "recipient": "University X", "context": "non-public"},
        "policy": {
            "salted_sha256": DIGEST,
            "approved_by": None,
            "redacted": {"release": {"name": "diabetes-2026"}, "datasets": {"patients": {"using": "mondrian"}}},
        },
        "key_commitment": {"commitment": DIGEST[::-1], "kdf": None},
        "signed_by": "SHA256:4mZ0bq1v7cXo",
        "profile": {
            "name": "ipc-ontario-2025/high",
            "title": "IPC Ontario, high",
            "citation": "Information and Privacy Commissioner of Ontario, De-identification Guidelines, 2025",
            "notes": ["Thresholds for data that is shared under an agreement."],
        },
        "deviations": ["patients: k-anonymity k = 5, the profile asks for 20"],
        "datasets": {
            "patients": {
                "kind": "tables",
                "file": "patients.parquet",
                "rows": after.rows,
                "unit": "records",
                "columns": {name: {"role": facts["role"], "style": facts["style"]} for name, facts in columns.items()},
                "mechanism": {"name": "mondrian", "parameters": {"split": "gain", "suppress": 0.02}},
                "findings": claims,
            }
        },
        "files": {"patients.parquet": DIGEST, "dictionary.json": DIGEST[::-1]},
        "versions": {"python": "3.11.9", "numpy": "2.3.1"},
    }
    findings = {"datasets": {"patients": found}, "when": "2026-01-31T10:00:00+00:00"}
    return json.dumps([certificate, findings])


@pytest.fixture
def certificate() -> dict[str, Any]:
    return json.loads(_release())[0]


@pytest.fixture
def findings() -> dict[str, Any]:
    return json.loads(_release())[1]


@pytest.fixture
def hostile(certificate: dict[str, Any], findings: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any], str]:
    """The same release, with one evil text in the place of every name, and as a column, dataset, file and version."""
    evil = '</title></style><script>alert(\'1\')</script>" onload="x" & \u202e\x00\ud800 <img src=x>'

    def poison(value: Any) -> Any:
        if isinstance(value, dict):
            known = {
                "before",
                "after",
                "details",
                "parts",
                "value",
                "exact",
                "datasets",
                "columns",
                "findings",
                "policy",
            }
            keep = value.keys() & (known | {"release", "mechanism", "criteria", "attacks", "utility", "risks", "kind"})
            poisoned = {key: poison(held) for key, held in value.items()}
            if not keep:
                poisoned[evil] = copy.deepcopy(next(iter(poisoned.values()), evil))
            return poisoned
        if isinstance(value, list):
            return [poison(held) for held in value]
        return evil if isinstance(value, str) and value not in {"≥", "≤", "probability", "quasi", "ncp"} else value

    return poison(certificate), poison(findings), evil
