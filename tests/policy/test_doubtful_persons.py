"""`clean: {person: {join: …}}` in a policy: roles, mistakes, and how many persons may be counted twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from sharewell.errors import PolicyError
from sharewell.policy import check, load
from sharewell.policy.doubtful_persons import claimed_doubles, double_cautions, refuse_doubtful
from sharewell.policy.redact import redacted
from sharewell.roles import Role

PEOPLE = [("Berg", "Eva", "1950-01-02"), ("Müller", "Anna", "1961-05-06"), ("Mueller", "ANNA", "1961-05-06"),
          ("Ruiz", "Pau", "1972-08-09"), ("Novak", "Jan", "1983-11-12"), ("Kral", "Petr", "1949-04-30")]  # fmt: skip


def _policy(
    folder: Path, clean: str = "", columns: str = "", rows: list[tuple[str, ...]] = PEOPLE, more: str = ""
) -> Path:
    lines = [",".join((*row, "10115", "flu" if i % 2 else "gout")) for i, row in enumerate(rows)]
    (folder / "v.csv").write_text("last,first,born,zip,illness\n" + "\n".join(lines) + "\n")
    clean = clean or "person: {join: [last, first, born]}"
    columns = columns or "person: subject, zip: quasi, illness: sensitive"
    (folder / "policy.yaml").write_text(
        f"sharewell: 1\nrelease: {{name: r}}\ndatasets:\n  d:\n    kind: tables\n"
        f"    read: {{csv: v.csv, clean: {{{clean}}}}}\n    columns: {{{columns}}}\n{more}"
        "    require: [k-anonymity: {k: 2}]\n    using: mondrian\nwrite: {csv: out}\n"
    )
    return folder / "policy.yaml"


def _mistakes(path: Path) -> str:
    with pytest.raises(PolicyError) as caught:
        check(path)
    shown = str(caught.value)
    assert not any(value in shown for row in PEOPLE for value in row)
    return shown


def test_parts_are_dropped_unless_they_have_a_role(tmp_path: Path) -> None:
    rules = check(_policy(tmp_path)).datasets["d"].columns
    assert [rules[name].role for name in ("person", "last", "first", "born")] == [Role.SUBJECT, *[Role.DROP] * 3]
    columns = "person: subject, born: quasi, zip: quasi, illness: sensitive"
    assert check(_policy(tmp_path, columns=columns)).datasets["d"].columns["born"].role is Role.QUASI


def test_parts_are_dropped_even_where_all_others_are_kept(tmp_path: Path) -> None:
    path = _policy(tmp_path, columns="person: subject, zip: quasi, illness: sensitive", more="    rest: keep\n")
    assert check(path).datasets["d"].columns["last"].role is Role.DROP


@pytest.mark.parametrize(
    ("clean", "columns", "problem"),
    [
        ("", "zip: quasi, illness: sensitive", "has no role subject"),
        ("", "person: keep, zip: quasi, illness: sensitive", "has no role subject"),
        ("", "person: drop, zip: quasi, illness: sensitive", "has no role subject"),
        ("person: {join: [last]}", "", "two different columns or more"),
        ("person: {join: [last, last]}", "", "two different columns or more"),
        ("person: {join: [last, person]}", "", "cannot be a part of itself"),
        ("person: {join: [last, birth]}", "", "no column 'birth' to join"),
        ("person: {join: [last, born], trim: true}", "", "takes no step trim"),
        ("person: {join: [last, born], doubtful: 2}", "", "doubtful"),
        ("person: {trim: true, doubtful: 0.1}", "", "doubtful is for the step join"),
        ("zip: {join: [last, born]}", "zip: subject, illness: sensitive", "has a column of this name already"),
        ("a: {join: [last, born]}, b: {join: [first, born]}", "a: subject, b: drop, zip: quasi, illness: sensitive",
         "a second joined person"),
    ],
)  # fmt: skip
def test_mistakes(tmp_path: Path, clean: str, columns: str, problem: str) -> None:
    assert problem in _mistakes(_policy(tmp_path, clean, columns))


def test_dates_in_another_form_must_be_read(tmp_path: Path) -> None:
    rows = [(last, first, f"{born[8:]}.{born[5:7]}.{born[:4]}") for last, first, born in PEOPLE]
    assert "its part born is read as text" in _mistakes(_policy(tmp_path, rows=rows))
    clean = 'born: {date: "%d.%m.%Y"}, person: {join: [last, first, born]}'
    check(_policy(tmp_path, clean, rows=rows))


def test_what_is_unusual_is_said(tmp_path: Path) -> None:
    [one] = check(_policy(tmp_path)).deviations
    assert "3 columns joined into one" in one
    assert "last" not in one
    several = check(_policy(tmp_path, "person: {join: [last, first, born], doubtful: 0.2}")).deviations
    assert "20 % of the persons may be counted twice" in several[1]


def test_persons_who_may_count_twice_are_refused_above_the_share_that_is_accepted(tmp_path: Path) -> None:
    typo = [*PEOPLE, ("Kral", "Petr", "1949-04-03"), ("Berg", "Evi", "1950-01-02")]
    path = _policy(tmp_path, rows=typo)
    assert "2 of 7 persons may be counted twice (28.6 %; at most 1 % are accepted)" in _mistakes(path)
    with pytest.raises(PolicyError, match="2 of 7 persons"):
        refuse_doubtful(load(path))
    accepted = _policy(tmp_path, "person: {join: [last, first, born], doubtful: 0.29}", rows=typo)
    policy = check(accepted)
    refuse_doubtful(policy)
    [caution] = double_cautions(policy.datasets["d"], policy)
    assert caution.startswith("person of v.csv: 2 of 7 persons may be counted twice")


def test_the_share_that_a_refusal_names_is_enough(tmp_path: Path) -> None:
    typo = [*PEOPLE, ("Kral", "Petr", "1949-04-03")]
    said = _mistakes(_policy(tmp_path, rows=typo)).rpartition("say doubtful: ")[2]
    check(_policy(tmp_path, f"person: {{join: [last, first, born], doubtful: {said}}}", rows=typo))


def test_lists_of_people_are_measured_too(tmp_path: Path) -> None:
    path = _policy(tmp_path)
    people = "last,first,born,zip\nRoe,Jan,1950-01-02,10115\nRow,Jan,1950-01-02,10115\n"
    (tmp_path / "voters.csv").write_text(people)
    voters = "{csv: voters.csv, clean: {who: {join: [last, first, born]}}}"
    asked = f"using: auto\n    require: [k-map: {{k: 2, population: {voters}, subject: who}}]"
    text = path.read_text().replace("    using: mondrian\n", "")
    path.write_text(text.replace("require: [k-anonymity: {k: 2}]", asked))
    shown = _mistakes(path)
    assert "population.clean.who" in shown
    assert "1 of 2 persons may be counted twice" in shown


def test_a_redacted_policy_names_no_part(tmp_path: Path) -> None:
    shown = json.dumps(redacted(check(_policy(tmp_path)), {}))
    assert not any(name in shown for name in ("last", "first", "born"))


OTHERWISE = [(last[:-1], first, born) for last, first, born in PEOPLE]
"""The same people in a file that writes every last name in another way, and always in the same."""
JOIN = "clean: {who: {join: [last, first, born]MORE}}"


def _people(path: Path, rows: Sequence[tuple[str, ...]]) -> None:
    path.write_text("last,first,born,zip,illness\n" + "".join(f"{','.join(row)},10115,flu\n" for row in rows))


def _counted_with(folder: Path, comparable: str = "true", more: str = "") -> Path:
    _people(folder / "one.csv", PEOPLE)
    _people(folder / "two.csv", OTHERWISE)
    join = JOIN.replace("MORE", more)
    lists = f"[{{csv: one.csv, {join}}}, {{csv: two.csv, {join}}}]"
    k_map = f"k-map: {{k: 2, population: {lists}, subject: who, comparable: {comparable}}}"
    path = _policy(folder)
    text = path.read_text().replace("k-anonymity: {k: 2}", k_map).replace("using: mondrian", "using: optimal-recoding")
    path.write_text(text)
    return path


def test_one_person_in_two_spellings_on_comparable_lists_is_measured_over_both(tmp_path: Path) -> None:
    """Neither list holds anybody twice; both together hold twice as many persons as there are."""
    assert "over these 2 files, who: 5 of 10 persons may be counted twice (50 %" in _mistakes(_counted_with(tmp_path))
    policy = check(_counted_with(tmp_path, more=", doubtful: 0.5"))
    assert any(
        "one.csv and two.csv together: 5 of 10 persons" in one for one in double_cautions(policy.datasets["d"], policy)
    )


def test_lists_that_are_not_comparable_are_measured_one_by_one(tmp_path: Path) -> None:
    check(_counted_with(tmp_path, comparable="false"))


def test_what_lists_accept_is_a_deviation_too(tmp_path: Path) -> None:
    said = check(_counted_with(tmp_path, more=", doubtful: 0.5")).deviations
    assert sum("population.clean.who: 50 % of the persons may be counted twice" in one for one in said) == 2


def test_owners_who_write_names_in_their_own_way_are_measured_together(tmp_path: Path) -> None:
    """Otherwise each of two patients counts once with either owner: as four, which is not too few."""
    _people(tmp_path / "north.csv", PEOPLE)
    _people(tmp_path / "south.csv", OTHERWISE)
    path = tmp_path / "policy.yaml"

    def written(more: str) -> Path:
        join = JOIN.replace("MORE", more)
        path.write_text(
            f"sharewell: 1\nrelease: {{name: r}}\ndatasets:\n  d:\n    kind: reports\n"
            f"    read: {{csv: north.csv, {join}}}\n    owners: [{{csv: south.csv, {join}}}]\n"
            "    columns: {who: subject, zip: drop, illness: quasi}\n"
            "    require: [cell-protection: {threshold: 4}]\n    using: cell-suppression\nwrite: {csv: out}\n"
        )
        return path

    assert "over these 2 files, who: 5 of 10 persons may be counted twice (50 %" in _mistakes(written(""))
    with pytest.raises(PolicyError, match="5 of 10 persons"):
        refuse_doubtful(load(path))
    policy = check(written(", doubtful: 0.5"))
    assert claimed_doubles(policy.datasets["d"], policy) == {"columns": 3, "perhaps_twice": 5}


def _tied(folder: Path, visitors: Sequence[tuple[str, ...]], more: str = "", who: str = "person") -> Path:
    """People and visits in two files, tied by person; in the second file the person's column is `who`."""
    _people(folder / "people.csv", PEOPLE)
    visits = (f"{','.join(row)},{2020 + i % 2}\n" for i, row in enumerate(visitors))
    (folder / "visits.csv").write_text("last,first,born,year\n" + "".join(visits))
    parts = f"join: [last, first, born]{more}"
    (folder / "policy.yaml").write_text(
        "sharewell: 1\nrelease: {name: r}\n"
        "person: {table: people, key: person, using: joined-suppression, require: [joined-k-anonymity: {k: 2, knows:"
        " {people: [zip], visits: 1}}]}\ndatasets:\n"
        f"  people:\n    kind: tables\n    read: {{csv: people.csv, clean: {{person: {{{parts}}}}}}}\n"
        "    columns: {person: subject, zip: quasi, illness: keep}\n    require: [k-anonymity: {k: 2}]\n"
        "    using: mondrian\n"
        f"  visits:\n    kind: tables\n    read: {{csv: visits.csv, clean: {{{who}: {{{parts}}}}}}}\n"
        f"    columns: {{{who}: subject, year: {{role: quasi, type: number}}}}\n    require: [k-anonymity: {{k: 2}}]\n"
        "    using: mondrian\nwrite: {csv: out}\n"
    )
    return folder / "policy.yaml"


@pytest.mark.parametrize("who", ["person", "visitor"])
def test_files_that_are_tied_by_person_are_measured_together(tmp_path: Path, who: str) -> None:
    """Joint criteria take somebody who is spelled otherwise in the second file for two people."""
    mixed = [*PEOPLE[:3], *OTHERWISE[3:]]
    path = _tied(tmp_path, mixed, who=who)
    said = _mistakes(path)
    assert "person — over the 2 files that it ties: 3 of 8 persons may be counted twice (37.5 %" in said
    with pytest.raises(PolicyError, match="3 of 8 persons"):
        refuse_doubtful(load(path))
    policy = check(_tied(tmp_path, mixed, ", doubtful: 0.38", who))
    assert claimed_doubles(policy.datasets["people"], policy) == {"columns": 3, "perhaps_twice": 3}
    said = "people.csv and visits.csv, tied by person: 3 of 8 persons may be counted twice"
    assert any(said in one for one in double_cautions(policy.datasets["people"], policy))
    assert not any("tied" in one for one in double_cautions(policy.datasets["visits"], policy))


def test_tied_files_that_spell_everybody_alike_are_let_be(tmp_path: Path) -> None:
    policy = check(_tied(tmp_path, [*PEOPLE, *PEOPLE]))
    refuse_doubtful(policy)
    assert claimed_doubles(policy.datasets["people"], policy) == {"columns": 3, "perhaps_twice": 0}


def test_a_joint_dataset_measures_the_files_of_its_people_together(tmp_path: Path) -> None:
    _people(tmp_path / "people.csv", PEOPLE)
    rows = "".join(f"{','.join(row)},J45\n" for row in OTHERWISE)
    (tmp_path / "codes.csv").write_text("last,first,born,code\n" + rows)
    join = "clean: {who: {join: [last, first, born]}}"
    path = tmp_path / "policy.yaml"
    path.write_text(
        "sharewell: 1\nrelease: {name: r}\ndatasets:\n  d:\n    kind: joint\n"
        f"    read: {{csv: codes.csv, {join}}}\n    demographics: {{csv: people.csv, {join}}}\n"
        "    columns: {who: subject, code: sensitive, zip: quasi, illness: drop}\n"
        "    require: [k-km-anonymity: {k: 2, m: 1}]\n    using: auto\nwrite: {csv: out}\n"
    )
    assert "over these 2 files, who: 5 of 10 persons may be counted twice (50 %" in _mistakes(path)
