"""A package that is not installed is said by name before any work begins, and is no verdict about a release."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from sharewell.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SHAREWELL_KEY", "a secret for the examples, of no use elsewhere")
    shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=shutil.ignore_patterns("out"))
    return tmp_path / "examples"


@pytest.mark.parametrize(
    ("example", "module", "package", "extra"),
    [
        ("reports-table", "highspy", "highspy", "reports"),
        ("reports", "clarabel", "clarabel", "reports"),
        ("notes-checked", "scipy", "scipy", "notes"),
        ("genomes", "opendp", "opendp", "genomes"),
        ("mechanisms", "sklearn", "scikit-learn", "learn"),
    ],
)
@pytest.mark.parametrize("verb", ["check", "plan", "release"])
def test_it_is_said_before_work_begins(
    examples: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    example: str,
    module: str,
    package: str,
    extra: str,
    verb: str,
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert main([verb, str(examples / example / "policy.yaml")]) == 3
    told = capsys.readouterr().err
    assert f"needs the package {package}, which is not installed — pip install 'sharewell[{extra}]'" in told
    assert not (examples / example / "out").exists()


def test_verify_gives_no_verdict_without_what_it_needs(
    examples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["release", str(examples / "reports-table" / "policy.yaml")]) == 0
    (made,) = (path for path in (examples / "reports-table" / "out").iterdir() if path.is_dir())
    capsys.readouterr()
    monkeypatch.setitem(sys.modules, "highspy", None)
    assert main(["verify", str(made)]) == 3
    told = capsys.readouterr()
    assert "pip install 'sharewell[reports]'" in told.err
    assert "verified" not in told.out + told.err


def test_a_variant_file_needs_its_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "policy.yaml").write_text(
        "sharewell: 1\nrelease: {name: r}\ndatasets:\n  g:\n    kind: genomes\n    read: {vcf: g.vcf}\n"
        "    require: [minor-frequency: {floor: 0.05}]\n    using: frequency-floor\nwrite: {parquet: out}\n"
    )
    (tmp_path / "g.vcf").write_text("##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tp1\n")
    monkeypatch.setitem(sys.modules, "cyvcf2", None)
    code = main(["check", str(tmp_path / "policy.yaml")])
    told = capsys.readouterr().err
    assert (code, "needs the package cyvcf2" in told) == (3, True), told
