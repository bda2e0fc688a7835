"""Bounds on utility: kept, or nothing is released; and the strictest criterion that keeps them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest

from sharewell.cli import main
from sharewell.errors import Infeasible, PolicyError
from sharewell.findings import Tier
from sharewell.pipeline.certificate import write_sums
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import NEEDS_ORIGINAL, verify
from sharewell.policy import check, load
from sharewell.policy.schema import json_schema
from sharewell.tables import NCP, KAnonymity, Mondrian, Table

POLICY = """\
sharewell: 1
release: {name: r1}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {age: quasi, town: quasi, illness: sensitive}
    require: [k-anonymity: {k: 4}]
    using: mondrian
    utility: [ncp: {at_most: 0.3}, discernibility]
write: {csv: out}
"""
STRICTEST = POLICY.replace("k: 4", "k: strictest")


def people(n: int = 200) -> Any:
    rng = np.random.default_rng(3)
    towns = rng.choice(["Ayton", "Beeby", "Corby", "Derby"], n)
    return pa.table({"age": rng.integers(0, 90, n), "town": towns, "illness": rng.choice(["flu", "gout"], n)})


def desk(tmp_path: Path, text: str = POLICY) -> Path:
    pa_csv.write_csv(people(), tmp_path / "people.csv")
    (tmp_path / "policy.yaml").write_text(text)
    return tmp_path / "policy.yaml"


def loss(k: int) -> float:
    table = Table.of(people(), quasi=["age", "town"], sensitive=["illness"])
    return float(NCP().score(table, Mondrian().protect(table, [KAnonymity(k)]).data).value or 0)


def test_a_bound_that_is_kept_is_promised_and_attested(tmp_path: Path) -> None:
    done = release(check(desk(tmp_path)))
    certificate = json.loads((done.directory / "public" / "certificate.json").read_text())
    bound = {"value": 0.3, "exact": "3/10"}
    promise = {"name": "ncp", "sense": "≤", "bound": bound, "ok": True, "tier": "attested"}
    assert certificate["datasets"]["people"]["utility"] == [promise]
    found = verify(done.directory / "public")
    assert found.ok
    assert [(f.name, f.tier, f.note) for f in found.findings["people"]][1:] == [("ncp", Tier.ATTESTED, NEEDS_ORIGINAL)]
    assert any(NEEDS_ORIGINAL in caution for caution in found.cautions)
    scored = done.findings["datasets"]["people"]["utility"][0]
    assert scored["ok"] is True
    assert scored["value"] == pytest.approx(loss(4))
    assert "Promised" in done.dossier.read_text()


def test_a_bound_that_is_missed_releases_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = desk(tmp_path, POLICY.replace("0.3", "0.001"))
    assert main(["release", str(path)]) == 4
    told = capsys.readouterr().err
    assert "mondrian makes every criterion hold, but the cost is above its bound" in told
    assert "blocked by: ncp = " in told
    assert not (tmp_path / "out" / "r1").exists()
    assert main(["plan", str(path)]) == 1


def test_a_conflict_tells_the_trade_off_as_measured(tmp_path: Path) -> None:
    bound = (loss(4) + loss(8)) / 2
    text = POLICY.replace("k: 4", "k: 8").replace("0.3", f"{bound:.4f}")
    with pytest.raises(Infeasible) as caught:
        release(check(desk(tmp_path, text)))
    helps = [text for text in caught.value.relaxations if text.startswith("k-anonymity with k = ")]
    assert helps
    k = int(helps[0].split()[4])
    assert 4 <= k < 8
    assert loss(k) <= bound < loss(8)
    assert f"ncp {loss(k):.4g}" in helps[0]


@pytest.mark.parametrize("edit", ["bound", "ok", "gone"])
def test_a_promise_that_was_edited_is_found(tmp_path: Path, edit: str) -> None:
    done = release(check(desk(tmp_path)))
    path = done.directory / "public" / "certificate.json"
    certificate = json.loads(path.read_text())
    promises = certificate["datasets"]["people"]["utility"]
    if edit == "bound":
        promises[0]["bound"] = {"value": 0.1, "exact": "1/10"}
    elif edit == "ok":
        promises[0]["ok"] = None
    else:
        del certificate["datasets"]["people"]["utility"]
    path.write_text(json.dumps(certificate))
    write_sums(done.directory / "public")
    assert not verify(done.directory / "public").ok


def test_strictest_takes_the_strictest_value_that_keeps_the_bound(tmp_path: Path) -> None:
    done = release(check(desk(tmp_path, STRICTEST)))
    certificate = json.loads((done.directory / "public" / "certificate.json").read_text())
    [asked] = certificate["policy"]["redacted"]["datasets"]["people"]["require"]
    k = asked["parameters"]["k"]
    rungs = [one.parameters["k"] for one in load(tmp_path / "policy.yaml").datasets["people"].require[0].rungs]
    assert rungs == sorted(rungs)
    assert loss(k) <= 0.3
    assert loss(rungs[rungs.index(k) + 1]) > 0.3
    [decision] = certificate["decisions"]
    assert f"k-anonymity with k = {k} is the strictest tried that keeps ncp ≤ 0.3; the next" in decision
    assert verify(done.directory).ok


def test_what_is_found_on_a_sample_is_said_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sharewell.pipeline.plan.SAMPLE", 150)
    [words] = plan(check(desk(tmp_path, STRICTEST)))["people"].chosen
    assert words.endswith("(on the rows tried; a release decides on all of them)")


def test_strictest_among_named_values_and_for_a_share(tmp_path: Path) -> None:
    text = POLICY.replace("k-anonymity: {k: 4}", "k-anonymity: {k: {strictest: [11, 2, 5]}}")
    require = load(desk(tmp_path, text)).datasets["people"].require[0]
    assert [one.built for one in require.rungs] == [KAnonymity(2), KAnonymity(5), KAnonymity(11)]
    text = POLICY.replace("k-anonymity: {k: 4}", "t-closeness: {t: strictest}")
    bounds = [one.built.bound for one in load(desk(tmp_path, text)).datasets["people"].require[0].rungs]
    assert bounds == sorted(bounds, reverse=True)


def test_nothing_weak_enough_is_infeasible(tmp_path: Path) -> None:
    with pytest.raises(Infeasible, match="cost is above its bound"):
        release(check(desk(tmp_path, STRICTEST.replace("0.3", "0"))))


def test_a_profile_stays_the_floor(tmp_path: Path) -> None:
    policy = load(desk(tmp_path, "profile: el-emam/5\n" + STRICTEST))
    assert [(one.parameters["k"], bool(one.rungs)) for one in policy.datasets["people"].require] == [
        (2, True),
        (5, False),
    ]
    assert policy.deviations == ()


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("{at_most: 0.3}", "{at_least: 0.3}", r"10:21: .*at_least bounds the wrong side: .* — use at_most"),
        ("{at_most: 0.3}", "{at_most: much}", r"10:21: .*at_most must be a number or a fraction"),
        ("{at_most: 0.3}", "{at_most: -1}", r"10:21: .*at_most must be at least 0"),
        ("{at_most: 0.3}", "{at_most: 1e400}", r"10:21: .*at_most must be at least 0 and at most 1 000"),
        (
            "using: mondrian",
            "using: {auto: {among: [mondrian], measure: {ncp: {at_most: 0.1}}}}",
            "promises nothing here",
        ),
        ("utility:", "compare: {measure: {ncp: {at_most: 0.1}}}\n    utility:", "promises nothing here"),
        ("{at_most: 0.3}", "{at_mots: 0.3}", r"10:21: .*unknown parameter 'at_mots'"),
        ("{k: 4}", "{k: {strictest: []}}", r"8:33: .*must be a list of values to try"),
        ("{k: 4}", "{k: {strictest: [5, many]}}", r"8:29: .*k must be a whole number"),
        ("{k: 4}", "{k: {strictest: [5, 5]}}", r"8:33: .*lists 5 twice — list each value once"),
        ("{k: 4}", "{k: {strictest: [0]}}", r"8:29: .*k must be at least 1"),
        ("{k: 4}", "{k: strictest, unit: persons}", r"8:43: .*unit must be one of"),
        ("k-anonymity: {k: 4}", "alpha-k-anonymity: {alpha: 1/2, k: strictest}", r"8:47: .*parameter that sets the"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path: Path, old: str, new: str, what: str) -> None:
    with pytest.raises(PolicyError, match=what):
        load(desk(tmp_path, POLICY.replace(old, new)))


def test_strictest_of_what_is_no_share_tries_whole_numbers(tmp_path: Path) -> None:
    text = POLICY.replace("k-anonymity: {k: 4}", "entropy-l-diversity: {l: strictest}")
    rungs = load(desk(tmp_path, text)).datasets["people"].require[0].rungs
    assert [one.parameters["l"] for one in rungs][:3] == [2, 3, 4]


def test_strictest_without_a_bound_is_a_mistake(tmp_path: Path) -> None:
    text = STRICTEST.replace("[ncp: {at_most: 0.3}, discernibility]", "[ncp]")
    with pytest.raises(PolicyError, match=r"8:15: .*strictest needs a bound on utility"):
        load(desk(tmp_path, text))
    text = STRICTEST.replace(
        "[k-anonymity: {k: strictest}]", "[k-anonymity: {k: strictest}, l-diversity: {l: strictest}]"
    )
    with pytest.raises(PolicyError, match=r"8:44: .*'k-anonymity' is to be the strictest already"):
        load(desk(tmp_path, text))


def test_the_schema_offers_bounds_on_the_right_side() -> None:
    forms = json_schema()["$defs"]["utility"]["anyOf"]
    properties: dict[str, Any] = {}
    for form in forms:
        for name, parameters in form.get("properties", {}).items():
            properties[name] = parameters["properties"]
    assert "at_most" in properties["ncp"]
    assert "at_least" in properties["prediction"]
    assert all(len({"at_most", "at_least"} & set(own)) == 1 for own in properties.values())
