"""The literature's example: bounds of two readings, criteria, verdicts and certificates."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from plain_reports import COLUMNS, R1_GLOBAL, ROWS, S_GLOBAL, agrees, proposed, report

from sharewell.errors import PolicyError
from sharewell.reports import Audit, Entropy, Levels, Protection, Publication, Snooper, Width, audit, load

EXAMPLE = Path(__file__).parents[2] / "examples" / "reports" / "diabetes.yaml"


@pytest.mark.parametrize(("reading", "bounds"), [("seed-002", S_GLOBAL), ("rounding", R1_GLOBAL)])
def test_all_bounds_of_both_readings(reading: str, bounds: list[list[tuple[float, float]]]) -> None:
    found = load(EXAMPLE).audit(reading=reading, exact=True, snooper="HMO1")  # type: ignore[arg-type]
    for i, row in enumerate(ROWS[1:]):
        for j, column in enumerate(COLUMNS):
            cell = found.worst(row, column)
            assert (cell.low, cell.high) == pytest.approx(bounds[i][j], abs=0.001)
            assert cell.inner is not None
            assert [float(end) for end in cell.inner] == pytest.approx(bounds[i][j], abs=0.001)


def test_published_intervals_are_nearly_reproduced() -> None:
    """Of the eighteen bounds in print, sixteen within 0.05; the other two within 0.2."""
    printed = [
        [(87.2, 88.5), (58.6, 59.8), (46.8, 47.9)],
        [(82.8, 86.4), (48.1, 52.3), (44.5, 47.2)],
        [(82.9, 86.7), (48.6, 53.1), (44.5, 47.4)],
    ]
    found = load(EXAMPLE).audit(reading="seed-002", snooper="HMO1")
    apart = []
    for i, row in enumerate(ROWS[1:]):
        for j, column in enumerate(COLUMNS):
            cell = found.worst(row, column)
            apart += [abs(cell.low - printed[i][j][0]), abs(cell.high - printed[i][j][1])]
    assert sum(one <= 0.0501 for one in apart) == 16
    assert max(apart) < 0.2


def checked(found: Audit, shown: Publication) -> None:
    """Every safe verdict, by the plain check."""
    assert any(cell.status == "safe" for cell in found.cells)
    for cell in found.cells:
        if cell.status == "safe":
            tables = found.witness(cell.row, cell.column, cell.snooper)
            assert tables is not None
            low, high = (table[cell.row, cell.column] for table in tables)
            assert high - low >= cell.need.width
            rows = () if cell.snooper == "outsider" else cell.snooper.split("+")
            assert all(agrees(shown, shown.knowledge(*rows).cells, table) for table in tables)
            assert all((value * 10**6).denominator == 1 for table in tables for value in table.values())


def test_accepted_cells_carry_witnesses() -> None:
    proposal = load(EXAMPLE)
    checked(proposal.audit(), proposal.publication)
    read = proposal.publication.read_as("seed-002")
    checked(audit(read, [Width(1)], [read.knowledge("HMO1")]), read)


def test_width_over_all_snoopers() -> None:
    shown = proposed()
    finding = Width(1).check(shown)
    assert finding.ok is True
    assert finding.details.snoopers == ("outsider", *ROWS)
    assert (finding.details.unsafe, finding.details.undecided) == (0, 0)
    own = Width(1, cells={"HMO2": {"Lipid profile": 2, "default": 1}}).check(shown)
    assert (own.ok, own.bound, own.unit) == (False, 0, "points to spare")
    assert (own.details.worst_row, own.details.worst_column) == ("HMO2", "Lipid profile")
    assert own.failed


def test_findings_hold_no_cell_and_no_interval() -> None:
    finding = Width(5, outsider=False, owners=("HMO1",)).check(proposed())
    text = str(finding.to_json())
    assert "88.2" not in text
    assert "low" not in text


def test_protection_asks_for_both_sides() -> None:
    shown = proposed(columns=Levels(3))
    alone = {"outsider": False, "owners": ("HMO1",)}
    assert Protection(below=5, above=5, **alone).check(shown).ok is True
    near = Protection(below=30, above=30, **alone).check(shown)
    assert near.ok is False


def test_protection_ends_at_the_domain() -> None:
    """A true value of 1 cannot be protected by 5 below; the end of the domain will do."""
    shown = Publication.of(report([[1, 50], [99, 50], [50, 50]]), columns=Levels())
    assert Protection(below=5, above=5).check(shown).ok is True


def test_entropy_is_a_width() -> None:
    shown = proposed(columns=Levels(3))
    alone = {"outsider": False, "owners": ("HMO1",)}
    assert Entropy(bits=8, grain=0.1, **alone).check(shown).ok is True
    least = Width(1, **alone).check(shown).value
    assert least == pytest.approx(43.2, abs=1e-3)
    assert Entropy(bits=8.8, grain=0.1, **alone).check(shown).ok is False
    with pytest.raises(PolicyError, match="grain"):
        Entropy(bits=1, grain=0).check(shown)


def test_nothing_published_leaves_the_domain_open() -> None:
    """And a width of the whole domain is met exactly, at its very ends."""
    finding = Width(100).check(proposed(Levels(), Levels()))
    assert (finding.ok, finding.value) == (True, 100)


def test_the_snooper_as_an_attack() -> None:
    found = Snooper(rows=("HMO1",), exact=True).mount(proposed())
    assert found.value == pytest.approx(1.216, abs=0.001)
    assert (found.details.row, found.details.column, found.details.cells) == ("HMO2", "Lipid profile", 9)
    assert sum(one.cells for one in found.details.widths) == 9
    assert 0 < found.details.mean_error < 3
    stranger = Snooper().mount(proposed())
    assert stranger.details.snooper == "outsider"
    assert stranger.value > found.value


def test_limits_below_zero_and_unknown_names_are_refused() -> None:
    for criterion in (Width(-1), Width(5, cells={"HMO9": {}}), Width(5, cells={"HMO1": {"eye": 1}})):  # type: ignore[arg-type]
        with pytest.raises(PolicyError):
            criterion.check(proposed())
    with pytest.raises(ValueError, match="least"):
        Width("five")  # type: ignore[arg-type]
    with pytest.raises(PolicyError, match="no cell has a limit"):
        audit(proposed(), [Width()])
    assert Width().check(proposed()).failed


def test_readings_are_known_by_name() -> None:
    with pytest.raises(PolicyError, match="no reading"):
        proposed().read_as("seed")  # type: ignore[arg-type]
    read = proposed().read_as("seed-002")
    assert [str(f) for f in read.figures].count("mean of row HMO4") == 0
    assert all(f.low is None and f.high == f.value for f in read.figures if f.measure == "sigma")
    assert read.read_as("seed-002") is read


def test_absent_cells_are_not_counted() -> None:
    """A plan without eye exams: means are taken over what there is, and nothing is inferred about what is not."""
    shown = Publication.of(report([[75, None, 43], [88, 60, None], [86, 50, 45], [83, 51, 47]]), Levels(3), Levels(3))
    found = audit(shown, [Width(Fraction(1, 2))], [shown.knowledge("HMO1")])
    assert len(found.cells) == 8
    assert ("HMO2", "Eye exam") not in {(cell.row, cell.column) for cell in found.cells}
