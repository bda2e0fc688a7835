"""Datasets tied by person, through whole releases: one pseudonym, one shift, and what all of them show together."""

from __future__ import annotations

import csv
import json
import shutil
from collections import Counter
from dataclasses import replace
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from forged_releases import put_page

from sharewell.errors import DataError, Infeasible
from sharewell.keys import Key
from sharewell.pipeline.certificate import file_hashes, write_sums
from sharewell.pipeline.mechanism_choice import Chosen, choose
from sharewell.pipeline.person_ties import ties_of
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check
from sharewell.policy.model import Dataset
from sharewell.progress import Progress
from sharewell.wing import Wing

K = 3
POLICY = """
sharewell: 1
release: {{name: {name}}}
secrets: {{key: env:TEST_TIES_KEY}}
person:
  table: patients
  key: id
  require: [joined-k-anonymity: {{k: 3, knows: {{patients: [age, sex], visits: 1, codes: 2}}}}]
  {using}
datasets:
  patients:
    kind: tables
    read: {{csv: patients.csv}}
    {link}
    columns: {{id: subject, age: {{role: quasi, type: number}}, sex: quasi, born: {{role: shift, most_days: 90}}}}
    require: [k-anonymity: {{k: 3}}]
    using: mondrian
  visits:
    kind: tables
    read: {{csv: visits.csv}}
    {link}
    columns: {{id: subject, ward: quasi, admitted: {{role: shift, most_days: 90}}}}
    require: [k-anonymity: {{k: 3}}]
    using: mondrian
  codes:
    kind: codes
    read: {{csv: codes.csv}}
    {link}
    columns: {{id: subject, code: quasi}}
    require: [km-anonymity: {{k: 3, m: 2}}]
    using: apriori
write: {{csv: out/}}
"""


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_TIES_KEY", "an example secret, long enough for a key")


def written(place: Path, *, link: bool = True, using: bool = True, name: str = "tied") -> Path:
    """48 people, spelt in two ways, with visits and codes of which some are rare; somebody is in one file alone."""
    people = [(f"p{i}", 20 + i % 12, "FM"[i % 2], date(1990, 1, 1 + i % 28)) for i in range(48)]
    visits = [
        (f"P{i} ", f"ward {(i * j) % 4}", date(2024, 1 + j, 1 + i % 28)) for i in range(47) for j in range(1 + i % 3)
    ]
    codes = [(f"p{i}", f"40{(i * j + i // 7) % 9}") for i in range(46) for j in range(1 + i % 4)] + [
        ("stranger", "400")
    ]
    tables = {
        "patients": [("id", "age", "sex", "born"), *people],
        "visits": [("id", "ward", "admitted"), *visits],
        "codes": [("id", "code"), *codes],
    }
    for file, rows in tables.items():
        with (place / f"{file}.csv").open("w", newline="") as handle:
            csv.writer(handle).writerows(rows)
    path = place / "policy.yaml"
    lines = {"link": "link: true" if link else "", "using": "using: joined-suppression" if using else ""}
    path.write_text(POLICY.format(name=name, **lines))
    return path


def rehashed(public: Path) -> None:
    """Every hash, and the page for recipients, as somebody would make them who has changed the files."""
    certificate = json.loads((public / "certificate.json").read_text())
    put_page(public, certificate)
    certificate["files"] = file_hashes(public)
    (public / "certificate.json").write_text(json.dumps(certificate))
    write_sums(public)


def rows_of(release: Path, name: str) -> list[dict[str, str]]:
    with (release / "public" / f"{name}.csv").open(newline="") as handle:
        return list(csv.DictReader(handle))


def test_a_linked_release_is_k_anonymous_over_all_files_as_a_recipient_counts(tmp_path: Path) -> None:
    """From the three public files alone, by the definition."""
    made = release(check(written(tmp_path))).directory
    people = {row["person"]: (row["age"], row["sex"]) for row in rows_of(made, "patients")}
    wards: dict[str, set[str]] = {}
    for row in rows_of(made, "visits"):
        wards.setdefault(row["person"], set()).add(row["ward"])
    codes = {row["person"]: set(row["code"].split()) - {"()"} for row in rows_of(made, "codes")}
    counts: Counter[object] = Counter()
    for who in people | wards | codes:
        for size in (0, 1, 2):
            for some in combinations(sorted(codes.get(who, ())), size):
                for ward in [None, *sorted(wards.get(who, ()))]:
                    counts[people.get(who), some, ward] += 1
    assert min(counts.values()) >= K
    assert len(set(people) & set(wards) & set(codes)) > 20


def test_recipients_re_check_the_joint_claim_themselves(tmp_path: Path) -> None:
    made = release(check(written(tmp_path))).directory
    found = verify(made / "public").raise_if_failed()
    (joint,) = found.findings["datasets together"]
    assert (joint.name, joint.ok, str(joint.tier)) == ("joined-k-anonymity", True, "recipient")
    assert json.loads((made / "public" / "dictionary.json").read_text())["codes"]["person"]["role"] == "subject"


def test_dates_of_linked_datasets_move_alike(tmp_path: Path) -> None:
    """A person's visits and birth keep their distance; without the link they do not."""
    for link in (True, False):
        place = tmp_path / str(link)
        place.mkdir()
        path = written(place, link=link, using=link)
        if not link:
            path.write_text(path.read_text().replace("require: [joined-k-anonymity", "# require: [joined-k-anonymity"))
        made = release(check(path)).directory
        born = {date.fromisoformat(row["born"]) for row in rows_of(made, "patients")}
        assert born != {date(1990, 1, 1 + i % 28) for i in range(48)}
        if link:
            shifts = {row["person"]: date.fromisoformat(row["born"]) for row in rows_of(made, "patients")}
            days = {
                (date.fromisoformat(row["admitted"]) - shifts[row["person"]]).days
                for row in rows_of(made, "visits")
                if row["person"] in shifts
            }
            true = {
                (date(2024, 1 + j, 1 + i % 28) - date(1990, 1, 1 + i % 28)).days for i in range(48) for j in range(3)
            }
            assert days <= true


def test_without_a_mechanism_what_fails_together_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Infeasible, match="taken together") as refused:
        release(check(written(tmp_path, using=False)))
    assert any("joined-suppression" in one for one in refused.value.relaxations)
    assert not (tmp_path / "out" / "tied").exists()


def test_unlinked_datasets_are_judged_as_if_they_could_be_joined(tmp_path: Path) -> None:
    """With the steward's evidence; a recipient has the certificate's word."""
    made = release(check(written(tmp_path, link=False))).directory
    assert "person" not in rows_of(made, "patients")[0]
    (by_steward,) = verify(made).raise_if_failed().findings["datasets together"]
    (by_recipient,) = verify(made / "public").raise_if_failed().findings["datasets together"]
    assert (str(by_steward.tier), str(by_recipient.tier)) == ("steward", "attested")


@pytest.mark.parametrize("name", ["patients", "visits", "codes"])
def test_a_forged_link_is_caught(tmp_path: Path, name: str) -> None:
    """Two persons merged into one, in a file whose hashes were all made anew."""
    made = release(check(written(tmp_path))).directory
    forged = tmp_path / "forged"
    shutil.copytree(made / "public", forged)
    path = forged / f"{name}.csv"
    lines = path.read_text().splitlines()
    people = sorted({line.split(",")[0] for line in lines[1:]})
    merged = [lines[0], *(line.replace(one, people[0]) for line in lines[1:] for one in [line.split(",")[0]])]
    path.write_text("\n".join(merged) + "\n")
    rehashed(forged)
    assert verify(forged).problems


def test_a_claim_without_its_link_does_not_verify(tmp_path: Path) -> None:
    made = release(check(written(tmp_path))).directory
    forged = tmp_path / "forged"
    shutil.copytree(made / "public", forged)
    certificate = json.loads((forged / "certificate.json").read_text())
    del certificate["datasets"]["codes"]["link"]
    (forged / "certificate.json").write_text(json.dumps(certificate))
    rehashed(forged)
    assert verify(forged).problems
    certificate["policy"]["redacted"]["person"]["require"][0]["parameters"]["knows"].pop("codes")
    (forged / "certificate.json").write_text(json.dumps(certificate))
    rehashed(forged)
    assert verify(forged).problems


def test_the_same_release_again_and_another_name(tmp_path: Path) -> None:
    """The same bytes whatever the order of rows; other pseudonyms in a release of another name."""
    first = release(check(written(tmp_path))).directory
    again = tmp_path / "again"
    again.mkdir()
    path = written(again)
    for file in again.glob("*.csv"):
        head, *rows = file.read_text().splitlines()
        file.write_text("\n".join([head, *reversed(rows)]) + "\n")
    second = release(check(path)).directory
    for name in ("patients", "visits", "codes"):
        assert (first / "public" / f"{name}.csv").read_bytes() == (second / "public" / f"{name}.csv").read_bytes()
    other = tmp_path / "other"
    other.mkdir()
    third = release(check(written(other, name="another"))).directory
    pseudonyms = [{row["person"] for row in rows_of(one, "patients")} for one in (first, third)]
    assert not pseudonyms[0] & pseudonyms[1]


def test_plan_counts_ties_and_tries_all_together(tmp_path: Path) -> None:
    found = plan(check(written(tmp_path)))
    assert found.ties is not None
    assert found.ties.to_json() == {
        "table": "patients",
        "persons": {"patients": 48, "visits": 47, "codes": 47},
        "orphans": {"visits": 0, "codes": 1},
        "in_all": 46,
        "in_some": 1,
        "alone": 1,
    }
    assert any("1 of them not in patients" in line for line in found.ties.lines())
    assert found.together is not None
    assert found.feasible
    assert found.together.mechanism["tried"]


def test_plan_protects_each_dataset_once_and_comes_to_what_a_release_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[tuple[str, int]] = []

    def counted(wing: Wing[Any], data: Any, dataset: Dataset, key: Key, progress: Progress) -> Chosen[Any]:
        tried.append((dataset.name, data.rows))
        return choose(wing, data, dataset, key, progress)

    monkeypatch.setattr("sharewell.pipeline.plan.choose", counted)
    monkeypatch.setattr("sharewell.pipeline.plan.SAMPLE", 10)  # joint criteria speak of all rows
    path = written(tmp_path)
    found = plan(check(path))
    rows = {name: len((tmp_path / f"{name}.csv").read_text().splitlines()) - 1 for name in ("patients", "visits")}
    assert tried == [*rows.items(), ("codes", found["codes"].size["rows"])]
    assert found.together is not None
    done = release(check(path)).findings["datasets"]["patients"]["protected_together"]
    assert found.together.mechanism == done


def test_files_that_have_nobody_in_common_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    text = (tmp_path / "codes.csv").read_text().replace("p", "q").replace("stranger", "other")
    (tmp_path / "codes.csv").write_text(text)
    with pytest.raises(DataError, match="nobody in common"):
        ties_of(check(path))
    with pytest.raises(DataError, match="nobody in common"):
        release(check(path))
    assert not (tmp_path / "out" / "tied").exists()


def test_files_most_of_whose_persons_are_strangers_are_told(tmp_path: Path) -> None:
    path = written(tmp_path)
    found = ties_of(check(path))
    assert found is not None
    assert not found.cautions()
    lost = replace(found, orphans={"visits": 3, "codes": 40})
    assert [one.split(":")[0] for one in lost.cautions()] == ["codes"]


def test_a_map_tells_the_pseudonyms_of_the_public_file(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_text(path.read_text().replace("    using: mondrian", "    map: true\n    using: mondrian"))
    made = release(check(path)).directory
    for name in ("patients", "visits"):
        told = pq.read_table(made / "internal" / "maps" / f"{name}.parquet").to_pydict()
        assert told["pseudonym"] == [row["person"] for row in rows_of(made, name)]
        assert len(set(zip(told["pseudonym"], told["subject"], strict=True))) == len(set(told["pseudonym"]))


def test_other_rules_give_other_pseudonyms(tmp_path: Path) -> None:
    """A stricter release of the same name cannot be joined with the first."""
    found = []
    for place, k in (("first", 3), ("second", 4)):
        (tmp_path / place).mkdir()
        path = written(tmp_path / place)
        path.write_text(path.read_text().replace("joined-k-anonymity: {k: 3", f"joined-k-anonymity: {{k: {k}"))
        found.append({row["person"] for row in rows_of(release(check(path)).directory, "patients")})
    assert not found[0] & found[1]
