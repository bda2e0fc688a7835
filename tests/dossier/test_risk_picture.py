"""The picture of the first page draws the worst attacks to scale, and never a better one in their place."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st
from page_structure import words

from sharewell.dossier.risk_picture import MOST, chosen, other_risks, risk_picture
from sharewell.dossier.views import Dataset, datasets
from sharewell.dossier.words import concern, share

NAMES = ("prosecutor", "accidental-identifiers", "linkage", "homogeneity", "definetti", "something-new")
SHARES = st.floats(0, 1)


def attack(name: str, before: float | None, after: float, unit: str = "probability") -> dict[str, Any]:
    was = None if before is None else {"name": name, "value": before, "unit": unit}
    return {"name": name, "before": was, "after": {"name": name, "value": after, "unit": unit}}


def release(*attacks: list[dict[str, Any]]) -> list[Dataset]:
    return datasets({}, {"datasets": {f"d{i}": {"attacks": found} for i, found in enumerate(attacks)}})


@given(
    st.lists(st.lists(st.builds(attack, st.sampled_from(NAMES), st.none() | SHARES, SHARES), max_size=8), max_size=4)
)
def test_the_worst_attack_of_each_question_is_drawn(found: list[list[dict[str, Any]]]) -> None:
    """As long as there is room for all."""
    data = release(*found)
    rows = chosen(data)
    assert len(rows) <= MOST
    if len(rows) == MOST:
        return
    for dataset in data:
        for which in {concern(one.name) for one in dataset.attacks}:
            worst = max(one.after.value or 0 for one in dataset.attacks if one.after and concern(one.name) == which)
            drawn = [row.after for row in rows if row.dataset == dataset.name and concern(row.attack.name) == which]
            assert worst in drawn


def test_every_dataset_comes_before_any_has_its_second() -> None:
    many = [attack("prosecutor", 1.0, 0.2), attack("linkage", 1.0, 0.1), attack("homogeneity", 1.0, 0.5)]
    rows = chosen(release(*([many] * 6)))
    assert len(rows) == MOST
    assert {row.dataset for row in rows} == {f"d{i}" for i in range(6)}


@given(st.lists(st.tuples(st.none() | SHARES, SHARES), min_size=1, max_size=6))
def test_marks_stand_to_scale_and_the_table_has_every_number(pairs: list[tuple[float | None, float]]) -> None:
    data = release(*([attack("prosecutor", *pair)] for pair in pairs))
    picture = risk_picture(data)
    assert picture is not None
    figure = ElementTree.fromstring(picture)
    drawing = next(one for one in figure.iter("svg") if one.get("role") == "img")
    places: dict[str, list[float]] = {"bar before": [], "bar after": []}
    for mark in drawing.iter("circle"):
        places[mark.get("class", "")].append(float(mark.get("cx", "").rstrip("%")))
    for tone, values in (("bar before", [b for b, _ in pairs if b is not None]), ("bar after", [a for _, a in pairs])):
        at = places[tone]
        assert len(at) == len(values)
        assert all(abs(x - (1 + 65 * value)) < 0.01 for x, value in zip(at, values, strict=True))
    cells = [words(cell) for cell in figure.iter("td")]
    assert all(share(after).strip() and " ".join(share(after).split()) in cells for _, after in pairs)
    numbers = [words(one) for one in drawing.iter("text") if one.get("class") == "number"]
    assert len(numbers) == len(pairs)


def test_what_is_not_told_in_percent_is_told_in_words() -> None:
    data = release([attack("snooper", 1.5, 40.0, "points")])
    assert risk_picture(data) is None
    assert ["1.5" in line and "40" in line for line in other_risks(data)] == [True]


def test_before_and_after_differ_without_colour() -> None:
    picture = risk_picture(release([attack("prosecutor", 1.0, 0.1)]))
    assert picture is not None
    assert 'class="bar before"' in picture  # an outline, by the style sheet
    assert "before protection" in picture
    assert "after protection" in picture
