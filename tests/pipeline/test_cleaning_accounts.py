"""A release of a messy file: as if it had been cleaned outside, by every path, with an account and no value told."""

from __future__ import annotations

import datetime
import json
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.errors import DataError
from sharewell.findings import Tier
from sharewell.io import sources
from sharewell.io.sources import Source
from sharewell.pipeline.cleaning_accounts import accounts_of
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import Released, release
from sharewell.pipeline.verify import verify
from sharewell.policy import check, load

SECRET = "a secret for the tests of cleaning"
CLEAN = """\
      clean:
        born: {date: ["%d.%m.%Y", "%Y-%m-%d"]}
        weight: {number: {decimal: ","}, unreadable: missing}
        sex: {trim: true, case: upper, recode: {CANARYFEMALE: F, W: F, CANARYNOTHING: ~}}
        zip: zip5
"""
POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: file:key}
datasets:
  people:
    kind: tables
    read:
      csv: people.csv
CLEAN
    columns:
      who: subject
      born: quasi
      weight: quasi
      sex: quasi
      zip: {role: quasi, hierarchy: zip}
      seen: SEEN
      illness: sensitive
    require:
      - k-anonymity: {k: 3}
REQUIRE
    using: mondrian
write: {csv: out}
"""
MESSY_SEX = {"F": ("f", "F ", " canaryFemale", "W"), "M": ("M", "m", "\u00a0m"), "": ("", "canarynothing")}
Row = tuple[str, str, str, str, str, str, str]


def _rows(count: int = 60) -> list[tuple[Row, Row]]:
    """Each row as an export has it, and as it should have it."""
    rows = []
    for i in range(count):
        day, month, year = 1 + i % 28, 1 + i % 12, 1940 + i % 50
        born = f"{day:02d}.{month:02d}.{year}" if i % 2 else f"{year}-{month:02d}-{day:02d}"
        weight = "not weighed" if i % 17 == 0 else f"{60 + i % 30},{i % 10}"
        sex = ("F", "M", "")[i % 3]
        messy = MESSY_SEX[sex][i % len(MESSY_SEX[sex])]
        place = f"0213{i % 10}"
        rest = ("2020-01-02", ("flu", "asthma", "ulcer")[i % 3])
        plain = (f"p{i}", f"{year}-{month:02d}-{day:02d}", weight.replace(",", "."), sex, place, *rest)
        plain = (*plain[:2], "" if i % 17 == 0 else plain[2], *plain[3:])
        rows.append(((f"p{i}", born, weight, messy, f"{place}-123{i % 10}" if i % 2 else place, *rest), plain))
    return rows


def _write(folder: Path, rows: list[Row], clean: str = CLEAN, require: str = "", seen: str = "keep") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [";".join(row) for row in (("who", "born", "weight", "sex", "zip", "seen", "illness"), *rows)]
    (folder / "people.csv").write_text("\n".join(lines) + "\n")
    (folder / "key").write_text(SECRET)
    text = POLICY.replace("CLEAN\n", clean).replace("REQUIRE\n", require).replace("SEEN", seen)
    (folder / "policy.yaml").write_text(text)
    return folder / "policy.yaml"


def _public(done: Released) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((done.directory / "public").iterdir())}


def test_a_messy_file_is_published_as_if_it_had_been_cleaned_outside(tmp_path: Path) -> None:
    rows = _rows()
    inside = release(check(_write(tmp_path / "inside", [messy for messy, _ in rows])))
    outside = release(check(_write(tmp_path / "outside", [plain for _, plain in rows], clean="")))
    assert _public(inside)["people.csv"] == _public(outside)["people.csv"]
    assert _public(inside)["dictionary.json"] == _public(outside)["dictionary.json"]


def test_a_large_file_is_cleaned_as_a_small_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [messy for messy, _ in _rows()]
    small = release(check(_write(tmp_path / "small", rows, seen="shift")))
    monkeypatch.setitem(sources.LARGE, "csv", 0)
    large = release(check(_write(tmp_path / "large", rows, seen="shift")))
    assert Source.of(tmp_path / "large" / "people.csv").is_large
    assert _public(small) == _public(large)
    assert small.findings["datasets"]["people"]["cleaning"] == large.findings["datasets"]["people"]["cleaning"]
    assert verify(large.directory).ok


def test_plan_findings_and_dossier_have_the_account(tmp_path: Path) -> None:
    rows = [messy for messy, _ in _rows()]
    policy = check(_write(tmp_path, rows))
    [account] = plan(policy)["people"].accounts
    assert account.source == "people.csv"
    counted = {
        name: (one.cells, [(step.name, step.changed, step.unread) for step in one.steps])
        for name, one in account.columns.items()
    }
    unread = sum(row[2] == "not weighed" for row in rows)
    assert counted == {
        "born": (60, [("date", 30, 0)]),
        "weight": (60, [("number", 60 - unread, unread)]),
        "sex": (
            sum(row[3] != "" for row in rows),
            [
                ("trim", sum(row[3] != row[3].strip() for row in rows), 0),
                ("case", sum(row[3].strip() != row[3].strip().upper() for row in rows), 0),
                ("recode", sum(row[3].strip().upper() not in ("F", "M", "") for row in rows), 0),
            ],
        ),
        "zip": (60, [("zip5", 30, 0)]),
    }
    done = release(policy)
    assert done.findings["datasets"]["people"]["cleaning"] == [account.to_json()]
    page = done.dossier.read_text()
    assert "Cleaned in people.csv" in page
    assert "canary" not in page.lower()


def test_recoded_values_stay_inside(tmp_path: Path) -> None:
    """They are cell values: neither they nor a hash that could be guessed is public."""
    flow = ", ".join(line.strip() for line in CLEAN.splitlines()[1:])
    register = f"      - k-map: {{k: 1, population: {{csv: people.csv, clean: {{{flow}}}}}}}\n"
    policy = _write(tmp_path, [messy for messy, _ in _rows()], require=register)
    policy.write_text(policy.read_text().replace("mondrian", "optimal-recoding"))
    done = release(check(policy))
    for name, content in _public(done).items():
        assert b"canary" not in content.lower(), name
    assert '"clean"' in json.dumps(json.loads(_public(done)["certificate.json"]))
    assert (
        "salted_sha256"
        in json.loads(_public(done)["certificate.json"])["policy"]["redacted"]["datasets"]["people"]["require"][1][
            "parameters"
        ]["population"]["clean"]
    )


def test_a_cleaned_register_is_found_again_by_whoever_has_the_policy(tmp_path: Path) -> None:
    """The register writes sexes and postcodes in its own way: without its cleaning nobody in it would fit."""
    rows = _rows()
    register = tmp_path / "ref" / "register.csv"
    register.parent.mkdir()
    lines = [f"{row[1]},{row[2]},{'female' if row[3] == 'F' else row[3]},{row[4]}-9999" for _, row in rows]
    register.write_text("\n".join(["born,weight,sex,zip", *lines, *lines]) + "\n")
    named = "{csv: ref/register.csv, clean: {sex: {case: upper, recode: {FEMALE: F}}, zip: zip5}}"
    policy = _write(tmp_path, [m for m, _ in rows], require=f"      - k-map: {{k: 2, population: {named}}}\n")
    policy.write_text(policy.read_text().replace("mondrian", "optimal-recoding"))
    done = release(check(policy))
    assert [one.source for one in accounts_of(load(policy).datasets["people"])] == ["people.csv", "register.csv"]
    [map_] = [one for one in done.verification.findings["people"] if one.name == "k-map"]
    assert (map_.ok, map_.tier) == (True, Tier.STEWARD)
    shutil.copytree(done.directory / "public", tmp_path / "received")
    shutil.copytree(done.directory / "internal", tmp_path / "steward")
    shutil.copy(register, tmp_path / "steward")
    again = verify(tmp_path / "received", with_=tmp_path / "steward")
    assert again.ok
    assert [one.tier for one in again.findings["people"] if one.name == "k-map"] == [Tier.STEWARD]
    (tmp_path / "steward" / "policy.yaml").unlink()
    without = verify(tmp_path / "received", with_=tmp_path / "steward")
    assert [one.tier for one in without.findings["people"] if one.name == "k-map"] == [Tier.ATTESTED]
    given = verify(done.directory, sources=[Source.of(register)], secret=SECRET.encode())
    assert [one.tier for one in given.findings["people"] if one.name == "k-map"] == [Tier.STEWARD]


def test_another_cleaning_draws_anew(tmp_path: Path) -> None:
    """Even where it changes no published value: what two releases share could be subtracted."""
    rows = [messy for messy, _ in _rows()]
    first = release(check(_write(tmp_path / "first", rows, seen="shift")))
    same = release(check(_write(tmp_path / "same", rows, seen="shift")))
    wider = CLEAN.replace('"%Y-%m-%d"]', '"%Y-%m-%d", "%Y/%m/%d"]')
    other = release(check(_write(tmp_path / "other", rows, clean=wider, seen="shift")))
    published = [_public(one)["people.csv"] for one in (first, same, other)]
    assert published[0] == published[1] != published[2]


def test_what_a_population_has_unreadable_stops_a_plan(tmp_path: Path) -> None:
    (tmp_path / "register.csv").write_text("born,weight,sex,zip\n1950-01-01,1,F,canary\n")
    attack = "    attacks: [linkage: {population: {csv: register.csv, clean: {zip: zip5}}}]\n"
    policy = _write(tmp_path, [messy for messy, _ in _rows()])
    policy.write_text(policy.read_text().replace("    using", f"{attack}    using"))
    with pytest.raises(DataError) as refused:
        plan(load(policy))
    assert str(refused.value).startswith("register.csv — column zip: 1 of 1 cell(s) are no postcodes of five digits")


_SEX = st.sampled_from([(plain, messy) for plain, some in MESSY_SEX.items() for messy in some])
_DAY = st.dates(min_value=datetime.date(1900, 1, 1))
_FORM = st.sampled_from(["{:%d.%m.%Y}", "{:%Y-%m-%d}"])
_WEIGHT = st.integers(1, 5000)


@given(rows=st.lists(st.tuples(_SEX, _DAY, _FORM, _WEIGHT), min_size=8, max_size=30))
@settings(max_examples=8, deadline=None)
def test_any_messy_column_is_published_as_if_cleaned_outside(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[tuple[str, str], object, str, int]]
) -> None:
    folder = tmp_path_factory.mktemp("messy")
    messy, plain = list[Row](), list[Row]()
    for i, ((sex, written), day, form, weight) in enumerate(rows):
        number, rest = f"{weight / 10:.1f}", ("2020-01-02", "flu")
        messy.append((f"p{i}", form.format(day), number.replace(".", ","), written, "02139-1234", *rest))
        plain.append((f"p{i}", str(day), number, sex, "02139", *rest))
    made = [release(load(_write(folder / "in", messy))), release(load(_write(folder / "out", plain, clean="")))]
    assert _public(made[0])["people.csv"] == _public(made[1])["people.csv"]


def test_the_page_about_cleaning_shows_what_happens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "cleaning.md").read_text()
    blocks = re.findall(r"^```\w*\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    table, refused, policy, cleaned, joined, doubtful, unread = blocks
    (tmp_path / "visits.csv").write_text(table)
    path = tmp_path / "policy.yaml"
    path.write_text(re.sub(r"      clean:\n(        .*\n)*", "", policy))
    assert main(["check", str(path)]) == 2
    assert capsys.readouterr().err == refused
    path.write_text(policy)
    assert main(["plan", str(path)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line for line in told if line.startswith("cleaned")] == cleaned.splitlines()
    assert main(["release", str(path)]) == 0
    path.write_text(policy.replace(", unreadable: missing", ""))
    capsys.readouterr()
    assert main(["check", str(path)]) == 2
    assert capsys.readouterr().err == unread
    people = [f"Name{i:03},Ann,{1 + i % 28:02}.0{1 + i % 9}.{1930 + i % 60},flu" for i in range(300)]
    people += [line.replace(",Ann,", ",Anna,") for line in people[:50]]
    (tmp_path / "emergency.csv").write_text("\n".join(["last,first,birth_date,diagnosis", *people]) + "\n")
    started = (
        "sharewell: 1\nrelease: {name: joined}\nsecrets: {key: file:key}\ndatasets:\n  visits:\n    kind: tables\n"
    )
    path.write_text(started + joined + "    require: [k-anonymity: {k: 2}]\n    using: mondrian\nwrite: {csv: out}\n")
    assert main(["check", str(path)]) == 2
    assert capsys.readouterr().err == doubtful
