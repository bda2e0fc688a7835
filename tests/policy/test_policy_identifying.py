"""Columns published as they are: refused where they look like identifiers, or single people out, unless `anyway`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import PolicyError
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.policy import check, load
from sharewell.policy.schema import json_schema
from sharewell.proposal import Proposal

POLICY = """\
sharewell: 1
release: {{name: r}}
datasets:
  d:
    kind: tables
    read: {{csv: d.csv}}
    columns:
      who: subject
      age: quasi
      ill: sensitive
      {name}: {rule}
    require: [k-anonymity: {{k: 2}}]
    using: mondrian
write: {{csv: out}}
"""
PERSONS = 30
Value = Callable[[int], str]


def desk(
    directory: Path, value: Value, *, name: str = "other", rule: str = "keep", records: int = 1, persons: int = PERSONS
) -> Path:
    """A policy that publishes one more column; `value` says what stands in it, by person."""
    lines = [f"who,age,ill,{name}"]
    for person in range(persons):
        lines += [f"p{person},{20 + person % 3},{'flu' if person % 2 else 'hiv'},{value(person)}"] * records
    (directory / "d.csv").write_text("\n".join(lines) + "\n")
    (directory / "policy.yaml").write_text(POLICY.format(name=name, rule=rule))
    return directory / "policy.yaml"


IDENTIFIERS: dict[str, tuple[Value, str]] = {
    "ssn": (lambda i: f"{100 + i:03}-{10 + i:02}-{2000 + i}", "social security numbers"),
    "e-mail": (lambda i: f"someone{i}@example.org", "e-mail addresses"),
    "phone": (lambda i: f"617-555-{1000 + i}", "telephone numbers"),
    "nhs": (lambda i: f"943 476 {5000 + i}", "telephone numbers"),
    "uuid": (lambda i: f"00000000-0000-4000-8000-{i:012}", "random identifiers"),
    "address": (lambda i: f"10.0.0.{i}", "network addresses"),
    "mrn": (lambda i: f"MRN{100000 + 7 * i}", "have a value that nobody else has"),
    "measure": (lambda i: f"{3.1 + i * 1.07:.3f}", "have a value that nobody else has"),
}


@pytest.mark.parametrize("records", [1, 3])
@pytest.mark.parametrize("kind", IDENTIFIERS)
def test_identifiers_are_refused_at_the_door(tmp_path: Path, kind: str, records: int) -> None:
    value, said = IDENTIFIERS[kind]
    path = desk(tmp_path, value, records=records)
    for refused in (lambda: check(path), lambda: plan(load(path)), lambda: release(load(path))):
        with pytest.raises(PolicyError) as caught:
            refused()
        text = str(caught.value)
        assert text.startswith("policy.yaml:11:7: datasets.d.columns.other — ")
        assert said in text
        assert "{keep: anyway}" in text
        assert value(3) not in text
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("rule", ["{keep: anyway}", "{role: keep, anyway: true}"])
def test_who_means_it_says_so_and_the_release_tells(tmp_path: Path, rule: str) -> None:
    path = desk(tmp_path, IDENTIFIERS["mrn"][0], rule=rule)
    done = release(check(path))
    certificate = json.loads((done.directory / "public" / "certificate.json").read_text())
    (deviation,) = certificate["deviations"]
    assert deviation.startswith("datasets.d.columns.other: published as it is, although it may identify people")
    assert certificate["policy"]["redacted"]["datasets"]["d"]["columns"]["other"] == {"role": "keep", "anyway": True}
    assert "although it may identify people" in done.dossier.read_text()


def test_long_codes_and_names_count_where_people_are_few(tmp_path: Path) -> None:
    codes = desk(tmp_path, lambda i: f"A-{100000 + i}", persons=6)
    with pytest.raises(PolicyError, match="long codes"):
        check(codes)
    named = desk(tmp_path, lambda i: f"x{i}", name="mrn", persons=6)
    with pytest.raises(PolicyError, match="by its name it holds"):
        check(named)


@pytest.mark.parametrize(
    "value",
    [
        lambda i: "ward A" if i % 2 else "ward B",
        lambda i: str(2000 + i % 7),
        lambda i: f"2021-0{1 + i % 6}-01",
        lambda i: "",
        lambda i: str(i) if i < 3 else "",  # too few have one
        lambda i: "yes",
    ],
)
def test_what_many_share_is_kept(tmp_path: Path, value: Value) -> None:
    assert check(desk(tmp_path, value))


def test_persons_are_counted_not_records(tmp_path: Path) -> None:
    """Every record has its own value of few, but every person has one that nobody else has."""
    path = desk(tmp_path, lambda i: f"group {i}", records=4)
    with pytest.raises(PolicyError, match="all of the 30 persons"):
        check(path)


def test_sensitive_columns_that_hold_identifiers_are_refused_too(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="anyway: true"):
        check(desk(tmp_path, IDENTIFIERS["e-mail"][0], rule="sensitive"))
    assert check(desk(tmp_path, IDENTIFIERS["e-mail"][0], rule="{role: sensitive, anyway: true}")).deviations
    assert check(desk(tmp_path, IDENTIFIERS["measure"][0], rule="sensitive"))  # a figure that others want to know


def test_rest_keeps_nothing_that_identifies(tmp_path: Path) -> None:
    path = desk(tmp_path, IDENTIFIERS["mrn"][0])
    text = path.read_text().replace("      other: keep\n", "").replace("    require", "    rest: keep\n    require")
    path.write_text(text)
    with pytest.raises(PolicyError, match=r"columns\.other — all of the 30 persons"):
        check(path)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("{keep: always}", "keep takes the one word anyway"),
        ("{role: quasi, anyway: true}", "anyway has no effect on the role quasi"),
        ("{role: keep, anyway: sure}", "anyway"),
    ],
)
def test_the_word_is_checked(tmp_path: Path, rule: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        load(desk(tmp_path, lambda i: "x", rule=rule))


def test_editors_know_the_word() -> None:
    forms = json_schema()["properties"]["datasets"]["additionalProperties"]["properties"]["columns"]
    assert any(
        form.get("properties", {}).get("keep") == {"const": "anyway"} for form in forms["additionalProperties"]["anyOf"]
    )


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(1, 3), min_size=20, max_size=40), st.integers(0, 40))
def test_who_is_alone_is_counted_by_person(
    tmp_path_factory: pytest.TempPathFactory, records: list[int], shared: int
) -> None:
    """`shared` persons have one value in common, all others one of their own, in each of their records."""
    directory = tmp_path_factory.mktemp("desk")
    lines = ["who,age,ill,other"]
    for person, count in enumerate(records):
        lines += [f"p{person},20,flu,{'x' if person < shared else f'own{person}'}"] * count
    (directory / "d.csv").write_text("\n".join(lines) + "\n")
    (directory / "policy.yaml").write_text(POLICY.format(name="other", rule="keep"))
    shared = min(shared, len(records))
    alone = (len(records) - (shared if shared > 1 else 0)) / len(records)
    if alone >= 0.9:
        with pytest.raises(PolicyError):
            check(directory / "policy.yaml")
    else:
        assert check(directory / "policy.yaml")


def test_a_draft_is_never_refused_for_what_it_proposes(tmp_path: Path) -> None:
    from sharewell.proposal import propose

    for i, (value, _) in enumerate(IDENTIFIERS.values()):
        place = tmp_path / str(i)
        place.mkdir()
        desk(place, value)
        (place / "draft.yaml").write_text(propose([place / "d.csv"], base=place))
        assert check(place / "draft.yaml")


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (IDENTIFIERS["ssn"][0], "social security numbers"),
        (IDENTIFIERS["e-mail"][0], "e-mail addresses"),
        (lambda i: f"{50 + i % 40}{(i % 9 + 1):02}{(i % 28 + 1):02}/{1000 + i}", "birth numbers"),
        (lambda i: f"{['Mary', 'John', 'Linda'][i % 3]} {['Smith', 'Brown', 'Garcia'][i // 3 % 3]}", "names of people"),
        (lambda i: f"Q{i:03}x", "have a value that nobody else has"),
    ],
    ids=["ssn", "e-mail", "birth number", "names", "a value of one's own"],
)
def test_a_quasi_column_does_not_list_the_people_of_a_class(tmp_path: Path, value: Value, why: str) -> None:
    """A set of eleven names is no protection of eleven people."""
    policy = desk(tmp_path, value, rule="quasi")
    with pytest.raises(PolicyError, match=why):
        check(policy)
    with pytest.raises(PolicyError, match=why) as refused:
        release(load(policy))
    assert value(3) not in str(refused.value)
    check(desk(tmp_path, value, rule="{role: quasi, type: text}"))
    check(desk(tmp_path, value, rule="{role: quasi, hierarchy: prefix}"))


@pytest.mark.parametrize(
    "value",
    [lambda i: f"town {i % 12}", lambda i: f"{20 + i}", lambda i: f"19{50 + i}-03-04"],
    ids=["places", "numbers", "dates"],
)
def test_other_quasi_columns_are_let_through(tmp_path: Path, value: Value) -> None:
    check(desk(tmp_path, value, rule="quasi"))


@pytest.mark.parametrize(("own", "refused"), [(60, True), (50, True), (49, False)])
def test_a_class_does_not_list_what_most_people_have_for_themselves(tmp_path: Path, own: int, refused: bool) -> None:
    """Numbers of mothers of whom some are there with two children: eleven of them are no protection of eleven."""
    policy = desk(tmp_path, lambda i: f"M{i}q" if i < own else f"S{i % 4}", rule="quasi", records=2, persons=100)
    if refused:
        with pytest.raises(PolicyError, match=f"{own} % of the 100 persons have a value that nobody else has"):
            check(policy)
    else:
        check(policy)


def test_a_draft_names_a_hierarchy_for_places_that_most_people_have_for_themselves(tmp_path: Path) -> None:
    desk(tmp_path, lambda i: f"{chr(65 + i % 26)}{chr(97 + i // 26)}ville", name="city", persons=100)
    draft = tmp_path / "draft.yaml"
    draft.write_text(Proposal.of([tmp_path / "d.csv"], base=tmp_path).text)
    assert check(draft).datasets["d"].columns["city"].hierarchy == "prefix"
