"""Criteria about sensitive values on their way through a release: policy, protection, certificate, verification."""

from __future__ import annotations

import json
from pathlib import Path

from sharewell.cli import main

RELEASED = """\
sharewell: 1
release: {name: sensitive}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {who: subject, age: quasi, illness: sensitive, cost: sensitive}
    require:
      - k-anonymity: {k: 2}
      - alpha-k-anonymity: {alpha: 0.7, k: 2, values: [flu], column: illness}
      - beta-likeness: {beta: 2, enhanced: false, column: illness}
      - delta-disclosure: {delta: 3, column: illness}
      - entropy-l-diversity: {l: 1.2, column: illness}
      - epsilon-m-anonymity: {epsilon: 0.5, m: 2, column: cost}
      - g-balance: {g: 1/3}
      - h-affiliation: {h: 0.9, column: illness}
      - range-diversity: {rho: 0.1, column: cost}
      - record-share: {most: 0.7}
      - recursive-l-diversity: {c: 4, l: 2, column: illness}
      - t-closeness: {t: 0.4, distance: ordered, column: cost}
      - t-closeness: {t: 0.6, column: illness, reference: {csv: people.csv}}
      - beta-likeness: {beta: 3, enhanced: true, column: illness, counts: {flu: 2, asthma: 1, gout: 1}}
      - t-closeness: {t: 0.6, column: illness, reference: {csv: people.csv}, subject: who}
      - t-closeness:
          t: 0.6
          column: illness
          counts: {flu: 2, asthma: 1, gout: 1}
          person_counts: {flu: 15, asthma: 15/2, gout: 7.5}
    using: mondrian
write: {csv: out}
"""


def test_a_release_with_all_of_them_is_verified_from_its_files(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(RELEASED)
    ills = ["flu", "asthma", "flu", "gout"]
    rows = [f"p{i % 30},{20 + i * 7 % 40},{ills[i % 4]},{i * 13 % 17}.5" for i in range(60)]
    (tmp_path / "people.csv").write_text("who,age,illness,cost\n" + "\n".join(rows) + "\n")
    assert main(["release", str(tmp_path / "policy.yaml")]) == 0
    assert main(["verify", str(tmp_path / "out" / "sensitive")]) == 0
    assert main(["verify", str(tmp_path / "out" / "sensitive" / "public")]) == 0
    certificate = json.loads((tmp_path / "out" / "sensitive" / "public" / "certificate.json").read_text())
    findings = certificate["datasets"]["people"]["findings"]
    assert all(finding["ok"] for finding in findings)
    assert len(findings) == 16
