"""Notes → table → notes: what is written back shows the published row, and a stranger can tell if it does not."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import PolicyError
from sharewell.keys import Key
from sharewell.notes import ExtractedValues, Known, Notes, Replace
from sharewell.notes.annotation import extraction
from sharewell.notes.annotation.extraction import extract_table, row_of
from sharewell.notes.annotation.written_back import WrittenBack, combined_edits, covers
from sharewell.notes.criteria.extracted_values import reveals_more
from sharewell.notes.detectors import Detectors
from sharewell.notes.engine.rewritten_text import Edit, apply_edits
from sharewell.notes.engine.spans import Text
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy.policy_file import load

EXAMPLE = Path(__file__).parents[2] / "examples" / "hide"
KEY = Key(b"a key of enough bytes for tests..")
ALL = ("age", "sex", "first", "last", "year", "zip", "city", "state")


@pytest.mark.parametrize(
    ("texts", "column", "value"),
    [
        (["A 47-year-old man. His mother died at 81."], "age", "47"),
        (["Mother, aged 81, came along."], "age", None),
        (["46 y/o", "47 y/o", "47 y/o"], "age", "47"),
        (["She is well. Her daughter drove her."], "sex", "F"),
        (["62M with chest pain"], "sex", "M"),
        (["MR moderate, MS excluded, HER2 positive."], "sex", None),
        (["Seen 3/5/2016, again 12 March 2016. DOB 4/1/1950."], "first", "2016-03-05"),
        (["Seen 3/5/2016, again 12 March 2016. DOB 4/1/1950."], "last", "2016-03-12"),
        (["Seen 3/5/2016."], "year", "2016"),
        (["Lives at 12 Elm St, Dayton, OH 45402."], "zip", "45402"),
        (["Lives at 12 Elm St, Dayton, OH 45402."], "city", "dayton"),
        (["Lives at 12 Elm St, Dayton, OH 45402."], "state", "OH"),
        (["Transferred to the VA for 45402 reasons."], "zip", None),
        ([""], "age", None),
    ],
)
def test_what_notes_say(texts, column, value):
    assert row_of(texts, ALL)[column] == value


def test_a_birthday_is_no_date_of_care_and_tells_the_age():
    known = Known.of(dates=["1969-04-12"])
    assert row_of(["Seen 4/12/1969, then 3/5/2016."], ("first",), known) == {"first": "2016-03-05"}
    made = _back(["Born 4/12/69, is 47 y/o."], {"age": "[45-49]"}, ("age",), known)
    assert made == ["Born [date], is 45-49 y/o."]


def _back(texts, row, columns, known=None):
    notes = Notes.of(texts, ["p"] * len(texts), {"p": known} if known else None)
    mechanism = WrittenBack(Replace(language="any"), columns, {"p": row} if row is not None else {})
    return list(mechanism.protect(notes, [], KEY).data.texts)


@pytest.mark.parametrize(
    ("text", "row", "wanted"),
    [
        (
            "A 47-year-old woman; mother died at 81.",
            {"age": "[45-49]"},
            "A 45-49-year-old woman; mother died at [age].",
        ),
        ("A 47-year-old woman.", {"age": "*"}, "A [age]-year-old woman."),
        ("A 47-year-old woman.", None, "A [age]-year-old woman."),
        ("She hurt her knee; her.", {"sex": "*"}, "They hurt their knee; them."),
        ("She hurt her knee.", {"sex": "F"}, "She hurt her knee."),
        ("47F, sex: F", {"sex": "{F,M}"}, "47[sex], sex: [sex]"),
        (
            "Seen 3/5/2016 and 3/9/2016.",
            {"last": "[2016-03-07..2016-03-09]"},
            "Seen [date] and [2016-03-07..2016-03-09].",
        ),
        ("Seen 3/5/2016, since 1999.", {"year": "[2015-2016]"}, "Seen [2015-2016], since [date]."),
        (
            "1:40 47F came by bus\n1:40 47F, T 99F, temp t 47M",
            {"age": "[45-49]"},
            "1:40 45-49 F came by bus\n1:40 45-49 F, T 99F, temp t 45-49 M",
        ),
        ("Aged 47. Age: 47, 47 years old", {"age": "*"}, "Aged [age]. Age: [age], [age] years old"),
        ("Rash.", {"age": "[45-49]"}, "Rash."),
    ],
)
def test_what_is_written_back(text, row, wanted):
    columns = tuple(row) if row else ("age",)
    assert _back([text], row, columns) == [wanted]
    assert not reveals_more(wanted, {name: (row or {}).get(name, "") for name in columns})


def test_a_zip_is_written_back_within_its_address():
    (made,) = _back(["At 12 Elm St, Dayton, OH 45402 now."], {"zip": "454*"}, ("zip",))
    assert made.startswith("At [place]")
    assert made.endswith(" 454* now.")
    assert "45402" not in made


@pytest.mark.parametrize(
    ("cell", "value", "does"),
    [
        ("[45-49]", "47", True),
        ("[45-49]", "5", False),
        ("454*", "45402", True),
        ("{a,b}", "b", True),
        ("[2016-01-01..2016-02-01]", "2016-01-31", True),
        ("47", "47", True),
        ("*", "b", False),
        ("<suppressed>", "47", False),
    ],
)
def test_what_a_cell_covers(cell, value, does):
    assert covers(cell, value) is does


EDITS = st.lists(st.tuples(st.integers(0, 28), st.integers(1, 8)), max_size=6)


@given(EDITS, EDITS)
def test_edits_together_cover_all_and_never_overlap(inner, own):
    def apart(spans, text):
        kept, end = [], 0
        for start, length in sorted(spans):
            if start >= end:
                kept.append(Edit(start, start + length, "DATE", text))
                end = start + length
        return kept

    text = "abcdefghij" * 4
    first, second = apart(inner, "<i>"), apart(own, "<o>")
    made = combined_edits(first, second)
    covered = {at for edit in made for at in range(edit.start, edit.end)}
    assert covered == {at for edit in (*first, *second) for at in range(edit.start, edit.end)}
    assert apply_edits(text, made).text.count("<o>") <= len(second)
    assert (not second) or "<o>" in apply_edits(text, made).text


AGE, SEX = st.integers(1, 89), st.sampled_from("MF")


@given(st.lists(st.tuples(AGE, SEX, st.integers(0, 3)), min_size=1, max_size=12), st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_notes_show_their_rows_alone(people, wide):
    """Whatever the classes are, the judge finds nothing that says more than the row; and finds it in the original."""
    forms = (
        "{a}-year-old {w} seen.",
        "{p} is {a} y/o. {p} is well.",
        "{w}, age: {a}. Father died, aged 77.",
        "{a} yo {s}",
    )
    texts, persons, rows = [], [], []
    for at, (age, sex, form) in enumerate(people):
        word, pronoun = ("man", "He") if sex == "M" else ("woman", "She")
        texts.append(forms[form].format(a=age, w=word, p=pronoun, s=sex))
        persons.append(f"p{at}")
        low = age - age % (wide * 5)
        rows.append({"person": f"p{at}", "age": f"[{low}-{low + wide * 5 - 1}]", "sex": "*" if wide > 2 else sex})
    table = pa.Table.from_pylist(rows)
    must = ExtractedValues(table, table.select(["age", "sex"]), ("age", "sex"))
    cells = {row["person"]: {"age": row["age"], "sex": row["sex"]} for row in rows}
    notes = Notes.of(texts, persons)
    assert must.check(notes).failed
    released = WrittenBack(Replace(language="any"), ("age", "sex"), cells).protect(notes, [must], KEY)
    assert must.check(released.data).ok


PIECES = (
    """
47F with pain|47 y/o man|a 47-year-old woman|aged 47|Age: 47|age of 91|47yo M|She is 47.|his wife is 52 years old
in her 90s|DOB 4/12/1969|born in 1969|Date of birth: 1969-04-12|born on April 12, 1969|birthday 4/12/69|seen 3/5/2016
on 5 March 2016|since 2009|in 2016|2016-03-05|March 5th, 2016|03-05-2016|3/5/16|Dayton, OH 45402|zip 45402
at 12 Elm St, Dayton, OH 45402-1234|he said|HER2 positive|told him|Mrs. Delgado|Ms. Chen
MS excluded|female patient|the lady|himself|T 99F|BP 120/80|2000 mg
""".strip()
    .replace("\n", "|")
    .split("|")
)
CELLS = {
    "age": ["[45-49]", "*", "47", "[90-99]", None], "sex": ["M", "F", "*", "{F,M}", None], "zip": ["454*", "*", None],
    "last": ["[2016-03-01..2016-03-09]", "2016", "*", None], "year": ["[2015-2017]", "2016", "*", None],
}  # fmt: skip


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_whatever_a_note_says_the_judge_finds_no_more_than_the_row(data):
    columns = tuple(data.draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=4, unique=True)))
    pieces = data.draw(
        st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from([". ", ", ", "\n", "; "])), max_size=6)
    )
    text = "".join(piece + gap for piece, gap in pieces)
    row = {name: data.draw(st.sampled_from(CELLS[name])) for name in columns}
    table = pa.table({"person": ["p"], **{name: pa.array([cell], pa.string()) for name, cell in row.items()}})
    must = ExtractedValues(table, table.drop_columns(["person"]), columns)
    (made,) = _back([text or "Well."], row, columns)
    assert must.check(Notes.of([made], ["p"])).ok, (text, made)


def test_rows_that_are_not_those_of_the_table_fail():
    rows = pa.table({"person": ["a", "b"], "age": ["[1-5]", "[1-5]"]})
    notes = Notes.of(["Well.", "Well."], ["a", "b"])
    assert ExtractedValues(rows, rows.select(["age"]), ("age",)).check(notes).ok
    other = pa.table({"age": ["[1-5]", "[1-9]"]})
    assert ExtractedValues(rows, other, ("age",)).check(notes).failed
    assert ExtractedValues().check(notes).failed
    assert ExtractedValues(rows, rows.select(["age"]), ("age",)).check(Notes.of(["x"])).failed


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    place = tmp_path_factory.mktemp("hide") / "hide"
    shutil.copytree(EXAMPLE, place, ignore=shutil.ignore_patterns("out"))
    return release(load(place / "policy.yaml")).directory


def test_the_table_is_published_and_anybody_counts_its_classes(released):
    rows = pq.read_table(released / "public" / "notes-extracted.parquet").to_pylist()
    assert min(Counter(tuple(row.values()) for row in rows).values()) >= 5
    found = verify(released / "public")
    assert found.ok
    assert [str(f.tier) for f in found.findings["notes-extracted"]] == ["recipient"]
    assert verify(released).findings["notes"][-1].name == "extracted-values"
    assert str(verify(released).findings["notes"][-1].tier) == "steward"


def test_no_exact_age_and_no_person_is_public(released):
    persons = set(pq.read_table(released / "internal" / "extracted" / "notes.parquet")["person"].to_pylist())
    texts = pq.read_table(released / "public" / "notes.parquet")["body"].to_pylist()
    assert any("]-year-old" in text or "] yo" in text for text in texts)
    told = (released / "public" / "certificate.json").read_text()
    assert not [person for person in persons if person in told]
    claim = json.loads(told)["datasets"]["notes"]
    assert claim["mechanism"]["name"] == "replace"


def test_rows_kept_inside_cannot_be_exchanged(released, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(released, copy)
    path = copy / "internal" / "extracted" / "notes.parquet"
    table = pq.read_table(path)
    pq.write_table(table.set_column(1, "age", pa.array(["[1-99]"] * table.num_rows)), path)
    (finding,) = [f for f in verify(copy).findings["notes"] if f.name == "extracted-values"]
    assert str(finding.tier) == "attested"


def test_the_same_key_gives_the_same_release(tmp_path, monkeypatch):
    monkeypatch.setenv("SHAREWELL_KEY", "a secret for tests, of no use elsewhere")
    made = []
    for name in ("one", "two"):
        shutil.copytree(EXAMPLE, tmp_path / name, ignore=shutil.ignore_patterns("out"))
        policy = tmp_path / name / "policy.yaml"
        policy.write_text(
            policy.read_text().replace("datasets:\n", "secrets: {key: env:SHAREWELL_KEY}\ndatasets:\n", 1)
        )
        lines = (tmp_path / name / "notes.jsonl").read_text().splitlines(keepends=True)[:40]
        (tmp_path / name / "notes.jsonl").write_text("".join(lines if name == "one" else lines[::-1]))
        public = release(load(policy)).directory / "public"
        made.append({file.name: file.read_bytes() for file in public.glob("*.parquet")})
    assert made[0] == made[1]


def test_a_plan_tells_of_table_and_notes(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "hide", ignore=shutil.ignore_patterns("out"))
    found = plan(load(tmp_path / "hide" / "policy.yaml"))
    assert list(found) == ["notes-extracted", "notes"]
    assert all(one.outcome.feasible for one in found.values())
    assert "extracted-values" in found["notes"].require


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("age: quasi", "agee: quasi", "no such thing is read from notes"),
        ("age: quasi", "age: keep", "protected as quasi"),
        ("patient_id: subject", "patient_id: drop", "identifies the person of a note"),
        ("- k-anonymity: {k: 5}", "- k-anonymty: {k: 5}", "k-anonymty"),
        ("    extract:\n", "    extrakt:\n", "extrakt"),
        ("- extracted-values ", "- extracted-values: {columns: [age]} ", "fills in"),
    ],
)
def test_mistakes_in_a_policy(tmp_path, old, new, said):
    shutil.copytree(EXAMPLE, tmp_path / "hide", ignore=shutil.ignore_patterns("out"))
    policy = tmp_path / "hide" / "policy.yaml"
    assert old in policy.read_text()
    policy.write_text(policy.read_text().replace(old, new))
    with pytest.raises(PolicyError, match=said):
        load(policy)


def test_a_table_of_notes_by_person():
    notes = Notes.of(["A 47-year-old man.", "Nothing.", "He is 47 y/o."], ["b", "a", "b"])
    assert extract_table(notes, ("age", "sex")).to_pylist() == [
        {"person": "a", "age": None, "sex": None},
        {"person": "b", "age": "47", "sex": "M"},
    ]


@given(
    st.lists(
        st.sampled_from(
            [
                "DOB",
                "d.o.b.",
                "born on",
                "Date of birth:",
                "b.",
                "Seen",
                "In",
                "3/5/1961",
                "1961",
                "March 5, 1961,",
                "x.",
            ]
        ),
        max_size=8,
    ),
    st.booleans(),
)
def test_births_are_found_as_if_every_date_were_looked_at(words: list[str], listed: bool) -> None:
    text = Text.of(" ".join(words))
    known = Known.of(dates=["1961-03-05"]) if listed else None
    rows = [hit[:2] for hit in known.search(text) if hit[2] == "DATE"] if known else []
    dates = [(span.start, span.end) for span in Detectors.of("dates", "short-dates").find(text)]
    dates += [match.span() for match in extraction._FORMS["year"].finditer(text)]
    of_birth = [
        one
        for one in dates
        if any(one[0] < end and start < one[1] for start, end in rows)
        or extraction._FORMS["birth"].search(text.folded, max(0, one[0] - 30), one[0])
    ]
    of_birth += [*rows, *(match.span("day") for match in extraction._FORMS["born_on"].finditer(text))]
    assert [one[:2] for one in extraction._births(text, known)] == of_birth
