"""What every release of a table says of itself, whatever the policy asks: attacks, and spellings that look alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sharewell.cli import main

pytestmark = pytest.mark.usefixtures("every_world")
POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  d:
    kind: tables
    read: {csv: d.csv}
    columns: {who: subject, district: {role: quasi, type: number}, ill: sensitive, ward: keep}
    require: [alpha-k-anonymity: {alpha: 1/2, k: 1, values: [HIV]}]
    using: mondrian
write: {csv: out}
"""
ROWS = [(1, "HIV", "a"), (1, "HIV", "b"), *((2, "none", "a"),) * 3, *((2, "none", "b"),) * 2]


def released(directory: Path, rows: list[tuple[Any, str, str]], policy: str = POLICY, records: int = 1) -> Path:
    """Each row stands for one person, with so many equal records."""
    lines = ["who,district,ill,ward"]
    lines += [f"p{i},{','.join(map(str, row))}" for i, row in enumerate(rows) for _ in range(records)]
    (directory / "d.csv").write_text("\n".join(lines) + "\n")
    (directory / "policy.yaml").write_text(policy)
    assert main(["release", str(directory / "policy.yaml")]) == 0
    assert main(["verify", str(directory / "out" / "r")]) == 0
    return directory / "out" / "r"


def attacks(release: Path) -> dict[str, Any]:
    found = json.loads((release / "internal" / "findings.json").read_text())
    return {attack["name"]: attack for attack in found["datasets"]["d"]["attacks"]}


def test_minimality_is_mounted_with_the_policys_own_mechanism(tmp_path: Path) -> None:
    release = released(tmp_path, ROWS)
    found = attacks(release)
    assert set(found) == {"accidental-identifiers", "definetti", "minimality"}
    after = found["minimality"]["after"]
    assert after["value"] == 1  # the two people of district 1
    assert after["details"]["raised"] > 0
    assert found["minimality"]["before"] is None
    page = (release / "internal" / "dossier.html").read_text()
    for title in ("Minimality: ", "deFinetti: ", "Accidental identifiers: "):
        assert title in page
    for name in ("minimality", "definetti"):  # what was found stays inside
        assert name not in (release / "public" / "certificate.json").read_text()


def test_a_policy_may_name_them_with_settings_of_its_own(tmp_path: Path) -> None:
    release = released(
        tmp_path, ROWS, POLICY.replace("    using", "    attacks: [minimality: {worlds: 50}]\n    using")
    )
    assert attacks(release)["minimality"]["after"]["value"] == 1
    assert attacks(release)["minimality"]["parameters"] == {"worlds": 50}


def test_several_records_of_one_person_are_one_person(tmp_path: Path) -> None:
    release = released(tmp_path, ROWS, records=2)
    found = attacks(release)
    assert found["definetti"]["after"]["details"]["persons"] == 7
    assert found["accidental-identifiers"]["after"]["details"]["persons"] == 7


def test_too_large_a_table_says_that_minimality_was_not_mounted(tmp_path: Path) -> None:
    rows = [(i % 40, "HIV" if i % 5 == 0 else "none", "a") for i in range(12_000)]
    note = attacks(released(tmp_path, rows))["minimality"]["after"]["note"]
    assert note.startswith("undecided: not mounted: the mechanism would be re-run on 12000 rows")


def test_without_sensitive_and_kept_columns_there_is_nothing_to_attack(tmp_path: Path) -> None:
    policy = POLICY.replace("ill: sensitive, ward: keep", "ill: drop, ward: drop")
    policy = policy.replace("alpha-k-anonymity: {alpha: 1/2, k: 1, values: [HIV]}", "k-anonymity: {k: 2}")
    assert attacks(released(tmp_path, ROWS, policy)) == {}


@pytest.mark.parametrize(("other", "count"), [("HIV ", 1), ("hiv", 1), ("ＨＩＶ", 1), ("HIV2", 0)])
def test_lookalikes_are_said_in_certificate_dossier_and_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], other: str, count: int
) -> None:
    """l-diversity counts `HIV` and `hiv` as one value, and the file shows both: who reads the certificate must know."""
    policy = POLICY.replace("alpha-k-anonymity: {alpha: 1/2, k: 1, values: [HIV]}", "l-diversity: {l: 2}")
    release = released(tmp_path, [(i % 2, ("HIV", other, "flu")[i % 3], "a") for i in range(12)], policy)
    certificate = json.loads((release / "public" / "certificate.json").read_text())
    assert certificate["datasets"]["d"].get("lookalikes", {}) == ({"ill": count} if count else {})
    said = capsys.readouterr().out
    page = (release / "internal" / "dossier.html").read_text()
    assert ("caution  ill: 1 value(s) differ from another only in case" in said) == bool(count)
    assert ("differ from another only in case" in page) == bool(count)
    assert other not in json.dumps(certificate["datasets"]["d"], ensure_ascii=False)


def test_the_name_of_a_subject_that_is_not_published_stays_inside(tmp_path: Path) -> None:
    lines = ["Who,district,ill,ward"] + [
        f"{'P' if i % 2 else 'p'}{i // 2},1,{'HIV' if i % 3 else 'flu'},a" for i in range(12)
    ]
    policy = POLICY.replace("who: subject", "Who: subject").replace(
        "alpha-k-anonymity: {alpha: 1/2, k: 1, values: [HIV]}", "k-anonymity: {k: 2}"
    )
    (tmp_path / "d.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "policy.yaml").write_text(policy)
    assert main(["release", str(tmp_path / "policy.yaml")]) == 0
    inside = json.loads((tmp_path / "out" / "r" / "internal" / "findings.json").read_text())
    assert inside["datasets"]["d"]["lookalikes"] == {"Who": 6}
    assert "Who" not in (tmp_path / "out" / "r" / "public" / "certificate.json").read_text()
