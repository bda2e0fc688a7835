"""Every file that a dataset names, and where."""

from __future__ import annotations

from pathlib import Path

from sharewell.policy import load
from sharewell.policy.dataset_files import files_of, files_of_algorithms


def test_files_of_a_dataset_and_of_its_algorithms(tmp_path: Path) -> None:
    for name in ("v.csv", "voters.csv", "list.csv"):
        (tmp_path / name).write_text("zip,illness\n10115,flu\n")
    (tmp_path / "policy.yaml").write_text(
        "sharewell: 1\nrelease: {name: r}\ndatasets:\n  d:\n    kind: tables\n    read: {csv: v.csv}\n"
        "    columns: {zip: quasi, illness: sensitive}\n"
        "    require: [k-map: {k: 2, population: {csv: voters.csv}}]\n"
        "    attacks: [linkage: {population: {csv: list.csv}}]\n    using: auto\nwrite: {csv: out}\n"
    )
    dataset = load(tmp_path / "policy.yaml").datasets["d"]
    path = ("datasets", "d")
    named = {source.label: place for place, source in files_of(dataset, path)}
    assert named == {
        "v.csv": (*path, "read"),
        "voters.csv": (*path, "require", 0, "k-map", "population"),
        "list.csv": (*path, "attacks", 0, "linkage", "population"),
    }
    assert [source.label for _, source in files_of_algorithms(dataset)] == ["voters.csv", "list.csv"]
