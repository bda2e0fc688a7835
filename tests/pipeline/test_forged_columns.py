"""What a certificate says of its columns and promises agrees with the policy it embeds, or the release fails."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sharewell.pipeline.certificate import Layout, file_hashes, write_sums
from sharewell.pipeline.manifest import write_manifest
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns:
      age: {role: quasi, style: low-high}
      born: quasi
      ill: {role: quasi, hierarchy: icd10cm}
      income: {role: sensitive, hierarchy: {intervals: {width: 2, levels: 2}}}
    require: [k-anonymity: {k: 2}, t-closeness: {t: 0.9, distance: hierarchical, column: income}]
    using: mondrian
    utility: [ncp: {at_most: 1}]
write: {csv: out}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    desk = tmp_path_factory.mktemp("forged")
    rows = [f"{20 + i},{2000 + i % 3}-01-0{1 + i % 2},{['E11', 'I10'][i % 2]},{i % 5}" for i in range(20)]
    (desk / "people.csv").write_text("age,born,ill,income\n" + "\n".join(rows) + "\n")
    (desk / "policy.yaml").write_text(POLICY)
    return release(check(desk / "policy.yaml")).directory


def column(name: str, **facts: Any) -> Callable[[Any], None]:
    return lambda claim: claim["columns"][name].update(facts)


FORGERIES: dict[str, Callable[[Any], None]] = {
    "one end of a range passed off as sensitive": column("age_low", role="sensitive"),
    "one end of a range passed off as the subject": column("age_low", role="subject"),
    "one end of a range that is a mean": column("age_high", style="mean"),
    "a style that nobody asked for": column("born", style="mean"),
    "a hierarchy that nobody named": column("born", hierarchy="date"),
    "another hierarchy": column("ill", hierarchy="flat"),
    "another hierarchy, of a sensitive column": column("income", hierarchy="of its own"),
    "a promise passed off as checked": lambda claim: claim["utility"][0].update(tier="recipient"),
    "records passed off as persons": lambda claim: claim["findings"][0].update(unit="persons"),
}


@pytest.mark.parametrize("change", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_claim_is_found_though_every_hash_fits(
    made: Path, tmp_path: Path, change: Callable[[Any], None]
) -> None:
    copy = Path(shutil.copytree(made, tmp_path / "r"))
    assert verify(copy).ok
    public = copy / "public"
    certificate = json.loads((public / "certificate.json").read_text())
    claim = certificate["datasets"]["people"]
    change(claim)
    (public / "dictionary.json").write_text(json.dumps({"people": claim["columns"]}))
    certificate["files"] = file_hashes(public)
    (public / "certificate.json").write_text(json.dumps(certificate))
    write_sums(public)
    write_manifest(Layout(public, copy / "internal"), None)
    assert not verify(copy).ok
    assert not verify(public).ok
