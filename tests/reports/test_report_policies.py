"""Reports of owners through a policy: planned, released, verified by recipient and steward, and never weakened."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from plain_reports import widest

from sharewell.cli import main
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.io.writing import write_json
from sharewell.pipeline import certificate as cert
from sharewell.pipeline.manifest import write_manifest
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check, load
from sharewell.reports import load as load_report

POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:TEST_FIGURES_KEY}
datasets:
  rates:
    kind: reports
    read: {csv: rates.csv}
    table: {rows: plan, domain: [0, 100], decimals: 1}
    publish:
      rows: {center: mean}
      columns: {center: mean, dispersion: sigma, sigma: sample}
    snoopers: {owners: all}
    protect:
      default: {width: 5}
      HMO2: {HbA1c: {below: 1.75, above: 1.25}}
    using: aggregate
    attacks: [snooper, snooper: {rows: [HMO1]}]
    utility: [report-loss]
write: {csv: out}
"""
RATES = {
    "HMO1": (75.0, 56.0, 43.0),
    "HMO2": (88.2, 59.8, 46.9),
    "HMO3": (85.7, 49.8, 44.5),
    "HMO4": (83.0, 50.8, 47.1),
}
ENDINGS = ("csv", "html", "json")
KEPT = "search: {keep: {columns.center: mean, rows.center: mean}}\n    using: aggregate"
PROTECT = """\
    protect:
      default: {width: 5}
      HMO2: {HbA1c: {below: 1.75, above: 1.25}}
"""
PUBLISH = """\
    publish:
      rows: {center: mean}
      columns: {center: mean, dispersion: sigma, sigma: sample}
"""
Written = Callable[..., Path]


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_FIGURES_KEY", "an example secret, long enough")


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(*changes: tuple[str, str]) -> Path:
        text = POLICY
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "policy.yaml").write_text(text)
        with (tmp_path / "rates.csv").open("w", newline="") as file:
            names = ("plan", "HbA1c", "Lipid profile", "Eye exam")
            csv.writer(file).writerows([names, *((name, *row) for name, row in RATES.items())])
        return tmp_path / "policy.yaml"

    return write


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One release, to be copied and tampered with."""
    place = tmp_path_factory.mktemp("made")
    (place / "policy.yaml").write_text(POLICY)
    rows = "\n".join(f"{name},{','.join(map(str, row))}" for name, row in RATES.items())
    (place / "rates.csv").write_text(f"plan,HbA1c,Lipid profile,Eye exam\n{rows}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEST_FIGURES_KEY", "an example secret, long enough")
        return release(check(place / "policy.yaml")).directory


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "copy"))


def resealed(place: Path) -> None:
    """Every hash made anew, as somebody would who edits a release that nobody signed."""
    public = place / "public"
    told = json.loads((public / cert.CERTIFICATE).read_text())
    told["files"] = cert.file_hashes(public)
    evidence = place / "internal" / "persons" / "rates.parquet"
    if evidence.is_file():
        told["datasets"]["rates"]["persons_sha256"] = cert.sha256(evidence)
    write_json(public / cert.CERTIFICATE, told)
    cert.write_sums(public)
    if (place / "internal").is_dir():
        write_manifest(cert.Layout(public, place / "internal"), None)


def evidence_of(place: Path) -> dict[str, str]:
    table = pq.read_table(place / "internal" / "persons" / "rates.parquet")
    return dict(zip(*(column.to_pylist() for column in table.columns), strict=True))


def edit_evidence(place: Path, what: str, change: Callable[[Any], Any]) -> None:
    path = place / "internal" / "persons" / "rates.parquet"
    told = evidence_of(place)
    told[what] = json.dumps(change(json.loads(told[what])))
    pq.write_table(pa.table({"what": list(told), "content": list(told.values())}), path)


def test_steward_and_recipient_verify_what_each_can(made: Path) -> None:
    steward = verify(made).raise_if_failed()
    assert [(one.name, one.ok, one.tier) for one in steward.findings["rates"]] == [
        ("width", True, "steward"),
        ("protection", True, "steward"),
    ]
    recipient = verify(made / "public").raise_if_failed()
    width, protection = recipient.findings["rates"]
    assert [(one.name, one.tier, one.ok) for one in width.parts] == [("width, of outsiders", "recipient", True)]
    assert (width.tier, protection.tier, protection.parts) == ("attested", "attested", ())
    assert verify(made / "public", with_=made / "internal").attested == 0


def test_the_steward_needs_no_solver(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written witnesses are checked by definition alone."""
    from sharewell.reports.figures.engine import bounds
    from sharewell.reports.figures.engine.solvers import scip

    def refuse(*_: Any) -> None:
        raise AssertionError("a solver was asked")

    monkeypatch.setattr(bounds, "Relaxation", refuse)
    monkeypatch.setattr(scip, "GlobalProgram", refuse)
    assert verify(made).ok


def test_nothing_of_the_audit_is_public(made: Path) -> None:
    """No value reached, no worst cell, no limit of a single owner, no amount below or above."""
    public = {path.name: path.read_text() for path in (made / "public").iterdir()}
    assert sorted(public) == [
        *("README.html", "SHA256SUMS", "certificate.json", "dictionary.json"),
        *(f"rates.{e}" for e in ENDINGS),
    ]
    told = json.loads(public["certificate.json"])
    for finding in told["datasets"]["rates"]["findings"]:
        assert set(finding) == {"name", "sense", "bound", "ok", "unit", "tier"}
    words = "".join(text.partition("</style>")[2] or text for text in public.values())
    for hidden in ("1.75", "1.25", "43.2", "68.2", "88.2"):
        assert hidden not in words, hidden
    page = public.pop("README.html")  # which says in general words what a snooper is
    assert "worst" not in page.partition("</style>")[2]
    words = "".join(text.partition("</style>")[2] or text for text in public.values())
    assert not any(hidden in words for hidden in ("worst", "snooper", "details"))
    assert not any(word in json.dumps(told) for word in ("below", "above"))
    assert len(evidence_of(made)["salt"]) >= 34


def test_a_changed_figure_is_found(copied: Path) -> None:
    path = copied / "public" / "rates.csv"
    path.write_text(path.read_text().replace("58.0", "58.1").replace("57.95", "58.05", 1))
    assert not verify(copied).ok
    resealed(copied)
    found = verify(copied)
    assert any("rates.json" in problem or "true cells" in problem for problem in found.problems)
    assert not verify(copied / "public").ok


def test_a_changed_page_is_found(copied: Path) -> None:
    path = copied / "public" / "rates.json"
    path.write_text(path.read_text().replace("60.3", "60.4"))
    resealed(copied)
    assert any("does not say what rates.csv says" in problem for problem in verify(copied / "public").problems)


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("tables", lambda tables: [["50", *tables[0][1:]], *tables[1:]]),
        ("tables", lambda tables: [tables[0]] * len(tables)),
        ("witnesses", lambda pairs: pairs[1:]),
        ("true", lambda cells: [[*cells[0][:2], "75.4"], *cells[1:]]),
        ("limits", lambda limits: limits[:1]),
        ("cells", lambda cells: cells[:-1]),
    ],
)
def test_changed_evidence_is_found(copied: Path, what: str, change: Callable[[Any], Any]) -> None:
    """By its hash; and where every hash was made anew, by the check itself."""
    edit_evidence(copied, what, change)
    assert any("not the file that was certified" in problem for problem in verify(copied).problems)
    resealed(copied)
    assert not verify(copied).ok


def test_witnesses_of_weaker_limits_do_not_do(copied: Path) -> None:
    """A certificate that asks for more than the witnesses show."""
    path = copied / "public" / cert.CERTIFICATE
    told = json.loads(path.read_text())
    told["policy"]["redacted"]["datasets"]["rates"]["require"][0]["parameters"]["least"] = 60
    path.write_text(json.dumps(told))
    resealed(copied)
    assert not verify(copied).ok


@pytest.mark.parametrize("name", ["rates.csv", "rates.json", "rates.html", "dictionary.json", "certificate.json"])
def test_a_missing_file_is_found(copied: Path, name: str) -> None:
    (copied / "public" / name).unlink()
    if name == "certificate.json":
        with pytest.raises(DataError, match="no certificate"):
            verify(copied)
    else:
        assert not verify(copied).ok


def test_without_its_evidence_a_steward_knows_no_more_than_a_recipient(copied: Path) -> None:
    (copied / "internal" / "persons" / "rates.parquet").unlink()
    assert verify(copied).attested == 2


def test_the_same_policy_and_key_give_the_same_bytes(made: Path, written: Written) -> None:
    again = release(check(written())).directory
    for part in ("public/rates.csv", "public/rates.json", "public/certificate.json", "internal/persons/rates.parquet"):
        assert (again / part).read_bytes() == (made / part).read_bytes(), part


def test_a_plan_tells_risk_and_cost(written: Written) -> None:
    found = plan(check(written()))["rates"]
    assert (found.outcome.feasible, found.outcome.cost) == (True, {"report-loss": 2})
    assert found.risks[0].name == "snooper"
    assert found.size == {"rows": 10, "owners": 4, "measures": 3}


def test_limits_may_stand_under_require(written: Written) -> None:
    more = "    require: [width: {least: 3}, entropy: {bits: 4.5}, protection: {below: 1}]\n    using: auto"
    policy = check(written((PROTECT, ""), ("    using: aggregate", more)))
    assert [one.built.owners for one in policy.datasets["rates"].require] == ["all"] * 3
    done = release(policy)
    assert [one.ok for one in verify(done.directory).raise_if_failed().findings["rates"]] == [True] * 3
    assert verify(done.directory / "public").ok


def test_what_cannot_be_kept_says_what_would_help(written: Written) -> None:
    policy = check(written(("width: 5", "width: 60"), ("using: aggregate", KEPT)))
    with pytest.raises(Infeasible) as error:
        release(policy)
    assert error.value.relaxations


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{width: 5}", "{widht: 5}", "14:17.*did you mean 'width'"),
        ("HMO2: {HbA1c", "HMO22: {HbA1c", "15:7.*no row 'HMO22' — did you mean 'HMO2'"),
        ("HbA1c: {below", "HbA1: {below", "no column 'HbA1' — did you mean 'HbA1c'"),
        ("owners: all", "owners: [HM01]", "12:.*no row 'HM01' — did you mean 'HMO1'"),
        ("rows: [HMO1]", "rows: [HMO9]", "17:.*no row 'HMO9'"),
        ("center: mean, dispersion", "center: meen, dispersion", "no such level of center"),
        ("dispersion: sigma", "dispersion: rounded", "rounded is of nested levels"),
        ("    using", "    search: {levels: nestd}\n    using", "classic or nested"),
        ("decimals: 1}", "decimals: 1, values: {HMO1: {x: 1}}}", "whose hash is public"),
        ("    using", "    measure: x\n    using", "this dataset is a report of figures"),
        ("attacks: [snooper,", "attacks: [table-interval,", "about tables of patients"),
        ("using: aggregate", "using: cell-suppression", "cannot make 'width' hold"),
        (PROTECT, "", "nothing is required"),
        ("    using", "    require: [width: {least: 1, coalitions: 2}]\n    using", "say coalitions under `snoopers`"),
        ("    table: {rows: plan, domain: [0, 100], decimals: 1}\n", "", "which have a `table`; this dataset has none"),
        ("kind: reports", "kind: tables", "for datasets of kind reports"),
        (PUBLISH, "", "what it would publish"),
    ],
)
def test_mistakes_are_told_with_their_line(written: Written, old: str, new: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        check(written((old, new)))


def test_two_reports_of_the_same_cells_are_refused(written: Written) -> None:
    path = written()
    one = POLICY[POLICY.index("  rates:") : POLICY.index("write:")]
    path.write_text(POLICY.replace("write:", one.replace("rates:", "again:") + "write:"))
    with pytest.raises(PolicyError, match="a report of the same cells"):
        check(path)


def test_bad_cells_are_bad_data(written: Written) -> None:
    path = written()
    (path.parent / "rates.csv").write_text("plan,HbA1c\nHMO1,much\nHMO2,3\n")
    with pytest.raises(DataError, match="not numbers"):
        check(path)
    load(path)
    (path.parent / "rates.csv").unlink()
    with pytest.raises(PolicyError, match="no such file"):
        check(path)


def test_a_report_file_is_released_and_verified_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example = str(Path(__file__).parents[2] / "examples" / "reports" / "diabetes.yaml")
    assert main(["reports", "release", example, "--to", str(tmp_path)]) == 0
    place = tmp_path / "diabetes-2001"
    assert main(["verify", str(place)]) == 0
    assert "steward" in capsys.readouterr().out
    assert main(["verify", str(place / "public")]) == 0
    shown = capsys.readouterr().out
    assert "width, of outsiders" in shown
    told = json.loads((place / "public" / "certificate.json").read_text())
    (finding,) = told["datasets"]["report"]["findings"]
    assert finding["note"] == "simulated as snoopers: 1 of 4 owners"
    path = place / "public" / "report.csv"
    path.write_text(path.read_text().replace("83.0", "83.5"))
    assert main(["verify", str(place)]) == 5


@st.composite
def small_tables(draw: Any) -> tuple[list[list[int]], dict[str, Any], int]:
    """Whole numbers from 0 to 8, some figures of them, and a width."""
    rows, columns = draw(st.integers(2, 3)), 2
    cells = draw(
        st.lists(st.lists(st.integers(0, 8), min_size=columns, max_size=columns), min_size=rows, max_size=rows)
    )
    center = st.sampled_from(["mean", "rounded", "none"])
    order = st.sampled_from(["total", "none"])
    publish = {"rows": {"center": draw(center)}, "columns": {"center": draw(st.sampled_from(["mean", "rounded"]))}}
    publish["columns"] |= {"order": draw(order), "dispersion": draw(st.sampled_from(["spread", "none"]))}
    return cells, publish, draw(st.integers(1, 5))


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_tables())
def test_no_snooper_gets_below_the_limit_in_what_was_released(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[list[list[int]], dict[str, Any], int]
) -> None:
    """From the public file and one row: exact intervals by a model of its own, which shares nothing with the audit."""
    cells, publish, width = drawn
    place = tmp_path_factory.mktemp("small")
    names = ["x", "y"]
    lines = [",".join(map(str, ("plan", *names)))] + [f"P{i},{','.join(map(str, row))}" for i, row in enumerate(cells)]
    (place / "rates.csv").write_text("\n".join(lines) + "\n")
    policy = {
        "sharewell": 1,
        "release": {"name": "r"},
        "datasets": {
            "rates": {
                "kind": "reports",
                "read": {"csv": "rates.csv"},
                "table": {"rows": "plan", "domain": [0, 8], "decimals": 1, "bin": 2},
                "publish": publish,
                "snoopers": {"owners": "all"},
                "protect": {"default": {"width": width}},
                "using": {"aggregate": {"beyond": 0}},
            }
        },
        "write": {"csv": "out"},
    }
    (place / "policy.yaml").write_text(json.dumps(policy))
    try:
        made = release(check(place / "policy.yaml")).directory
    except Infeasible:
        return
    assert verify(made).ok
    shown = read_public(made / "public" / "rates.json", place)
    for knowing in (None, *range(len(cells))):
        known = (
            {} if knowing is None else {(f"P{knowing}", n): Fraction(cells[knowing][i]) for i, n in enumerate(names)}
        )
        for cell in shown.frame.cells:
            if cell not in known:
                low, high = widest(shown, known, cell)
                assert high - low >= width - 1e-5, f"{knowing} about {cell}"


def read_public(path: Path, place: Path) -> Any:
    """The published figures, as anybody would read them."""
    told = json.loads(path.read_text()) | {"protect": {"default": {"width": 0}}}
    (place / "public.yaml").write_text(json.dumps(told))
    return load_report(place / "public.yaml").publication


def test_a_running_verifier_of_reports_loads_no_mechanism(made: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from sharewell.pipeline.verify import verify;"
        f"assert verify(Path({str(made)!r})).ok; assert verify(Path({str(made)!r}) / 'public').ok;"
        "print([m for m in sys.modules if m.startswith('sharewell') and 'mechanisms' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
