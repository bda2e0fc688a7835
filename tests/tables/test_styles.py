"""Every publication style: what it shows, whom it covers, and that a stranger finds the same classes again."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell import registry
from sharewell.cells import Exact, Interval, Mean, Prefix, Set, parse
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.hierarchy import Tree
from sharewell.keys import Key
from sharewell.pipeline.certificate import write_sums
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check, load
from sharewell.styles import STYLES, Style
from sharewell.tables import (
    LM,
    NCP,
    BottomUp,
    K1Anonymity,
    KAnonymity,
    KMap,
    KMember,
    Linkage,
    Mondrian,
    OptimalRecoding,
    Prosecutor,
    Table,
)
from sharewell.tables.engine.cell_matching import Cover
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.measures.row_alignment import rows_behind
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_merged
from sharewell.tables.engine.published_cells import publish

ILLS = Tree([["flu", "lung", "*"], ["asthma", "lung", "*"], ["gout", "joints", "*"], ["ache", "joints", "*"]])
COLUMNS: dict[str, tuple[list[Any], tuple[str, ...]]] = {
    "age": ([20, 21, 25, 40, 41, 77, None], ("range", "low-high", "mean", "common", "set")),
    "weight": (["-1.50", "0.25", "7", "80.5", "80.75", None], ("range", "low-high", "mean", "common", "set")),
    "born": (
        ["1999-12-31", "2000-01-01", "2000-02-29", "2000-02-03", "2011-07-08", None],
        ("range", "low-high", "mean", "common", "set"),
    ),
    "zip": (["02139", "02138", "02134", "10001", "021", None], ("common", "set")),
    "sex": (["F", "M", "*", None], ("common", "set")),
    "ill": (["flu", "asthma", "gout", "ache", None], ("node", "common", "set")),
}


@st.composite
def tables(draw: st.DrawFn) -> tuple[Any, dict[str, str], int]:
    """(rows, styles, k)."""
    names = draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=3, unique=True))
    rows = draw(st.integers(1, 14))
    frame = {}
    for name in names:
        values = draw(st.lists(st.sampled_from(COLUMNS[name][0]), min_size=rows, max_size=rows))
        kind = pa.int64() if name == "age" else pa.string()
        frame[name] = pa.array(values, kind)
    styles = {name: draw(st.sampled_from(COLUMNS[name][1])) for name in names}
    return pa.table(frame), styles, draw(st.integers(1, 4))


def opened(frame: Any, styles: Mapping[str, Any]) -> Table | None:
    """None where a style does not fit what happens to be there: all missing, or leading zeros gone."""
    names = frame.column_names
    trees = {name: ILLS for name in names if name == "ill"}
    try:
        return Table.of(frame, quasi=names, hierarchies=trees, styles=styles)
    except PolicyError:
        return None


def read_again(released: Table, styles: Mapping[str, str]) -> Table:
    """As whoever has only the shown columns, the dictionary and the shipped software."""
    shown = pa.table(
        {name: pa.array(released.arrow[name].to_pylist(), pa.string()) for name in released.arrow.column_names}
    )
    return Table.of(shown, quasi=list(styles), styles=styles, published=True)


@settings(max_examples=150, deadline=None)
@given(tables(), st.sampled_from([Mondrian(), KMember(), BottomUp(), Mondrian(suppress=0.3)]))
def test_every_style_keeps_k_and_covers_what_it_says(case: tuple[Any, dict[str, str], int], mechanism: Any) -> None:
    frame, styles, k = case
    table = opened(frame, styles)
    if table is None:
        return
    try:
        protected = mechanism.protect(table, [KAnonymity(k)])
    except Infeasible:
        assert frame.num_rows < k
        return
    released = protected.data
    again = read_again(released, styles)
    assert not KAnonymity(k).check(released).failed
    assert not KAnonymity(k).check(again).failed
    shown = released.arrow.to_pylist()
    plain = [tuple(row.values()) for row in shown]
    assert min(plain.count(row) for row in plain) >= k
    assert again.classes.count == released.classes.count == len(set(plain))
    for name, style in styles.items():
        column, cells = released.columns[name], again.columns[name]
        assert [cells.texts[code] for code in cells.codes] == [column.texts[code] for code in column.codes]
        assert all(cell.text == text for cell, text in zip(column.cells, column.texts, strict=True))
        if style != "mean":
            covers(table.columns[name].take(protected.rows), column)
            covers(table.columns[name].take(protected.rows), again.columns[name] if name != "ill" else column)


def covers(original: Any, published: Any) -> None:
    cover = Cover(published, original)
    for value, cell in zip(original.codes, published.codes, strict=True):
        covered = cover.of(int(cell))
        assert covered is None or value in covered


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(COLUMNS["weight"][0][:-1]), st.booleans()), min_size=1, max_size=9),
    st.integers(0, 3),
)
def test_a_mean_is_the_mean(rows: list[tuple[str, bool]], decimals: int) -> None:
    frame = pa.table({"weight": [value for value, _ in rows], "sex": ["FM"[other] for _, other in rows]})
    table = Table.of(frame, quasi=["weight", "sex"], styles={"weight": {"mean": decimals}})
    if table.columns["weight"].kind != "number":
        return
    released = Mondrian().protect(table, [KAnonymity(2)] if len(rows) > 1 else [KAnonymity(1)])
    for start, end in zip(released.data.classes.starts[:-1], released.data.classes.starts[1:], strict=True):
        members = released.data.classes.order[start:end]
        exact = [Fraction(rows[released.rows[row]][0]) for row in members]
        wanted = (sum(exact) / len(exact) * 10**decimals + Fraction(1, 2)).__floor__()
        shown = {released.data.arrow["weight"][int(row)].as_py() for row in members}
        assert {Fraction(text) * 10**decimals for text in shown} == {wanted}
    assert rows_behind(table, released.data) is not None
    assert NCP(tightest=True).score(table, released.data).value is not None


def one_class(name: str, values: list[Any], style: Any, **more: Any) -> Any:
    table = Table.of(pa.table({name: values}), quasi=[name], styles={name: style}, **more)
    released = Mondrian().protect(table, [KAnonymity(len(values))]).data
    shown = released.arrow.slice(0, 1).to_pylist()[0]
    return next(iter(shown.values())) if len(shown) == 1 else shown


@pytest.mark.parametrize(
    ("name", "values", "style", "shown"),
    [
        ("age", [20, 25, 21], "range", "[20-25]"),
        ("age", [20, 25, 21], "low-high", {"age_low": "20", "age_high": "25"}),
        ("age", [20, 25, 21], "common", "[20-25]"),
        ("age", [20, 20, 20], "common", "20"),
        ("age", [20, 25, 21], "set", "{20,21,25}"),
        ("age", [20, 25, 21], "mean", "22"),
        ("age", [20, 25, 21], {"mean": 3}, "22.000"),
        ("age", [20, 21], "mean", "21"),
        ("age", [-20, -21], "mean", "-20"),
        ("age", [20, None], "mean", "*"),
        ("age", [None, 20, None], "low-high", {"age_low": "*", "age_high": "*"}),
        ("t", [36.5, 37.25], "mean", "36.88"),
        ("n", [10**30, 10**30 + 3], "mean", str(10**30 + 2)),
        ("n", ["0.1", "0.2", "0.3"], {"mean": 0}, "0"),
        ("born", ["2019-03-04", "2019-03-31"], "common", "2019-03-*"),
        ("born", ["2019-03-04", "2019-04-01"], "common", "2019-*"),
        ("born", ["2019-03-04", "2021-04-01"], "common", "[2019-01-01..2021-12-31]"),
        ("born", ["2019-03-04", "2019-03-04"], "common", "2019-03-04"),
        ("born", ["2019-12-31", "2020-01-02"], "mean", "2020-01-01"),
        ("born", ["2019-12-31", "2020-01-02"], "low-high", {"born_low": "2019-12-31", "born_high": "2020-01-02"}),
        ("zip", ["02139", "02134", "02138"], "common", "0213*"),
        ("zip", ["02139", "10001"], "common", "*"),
        ("sex", ["F", "M"], "common", "*"),
        ("sex", ["F", "F"], "common", "F"),
        ("sex", ["Female", "Fem"], "common", "*"),
        ("sex", ["F", None], "set", "{,F}"),
    ],
)
def test_what_a_class_shows(name: str, values: list[Any], style: Any, shown: Any) -> None:
    if name == "n" and isinstance(values[0], int):
        values = [str(value) for value in values]
    assert one_class(name, values, style) == shown


def test_a_tree_in_every_style_it_can_have() -> None:
    shown = {
        style: one_class("ill", ["flu", "asthma"], style, hierarchies={"ill": ILLS})
        for style in ("node", "common", "set")
    }
    assert shown == {"node": "lung", "common": "lung", "set": "{asthma,flu}"}


@pytest.mark.parametrize(
    ("styles", "message"),
    [
        (
            {"sex": "mean"},
            "columns.sex — style mean needs numbers or dates, but it is read as text — choose",
        ),
        ({"sex": "range"}, "style range needs numbers or dates"),
        ({"sex": "node"}, "style node needs a hierarchy"),
        ({"ill": "low-high"}, "style low-high is for columns without a hierarchy"),
        ({"age": "medium"}, "columns.age.style — no style named 'medium'"),
        ({"age": {"mean": -1}}, "must be a name, or mean with its decimals, a whole number, at least 0 and at most 12"),
        ({"born": {"mean": 1}}, "a mean date has no decimals"),
        ({"name": "set"}, "only quasi columns are published in a style"),
        ({"age": "low-high"}, "style low-high publishes age_low and age_high, but there is a column age_low already"),
    ],
)
def test_impossible_combinations_are_policy_errors(styles: dict[str, Any], message: str) -> None:
    frame = pa.table({n: [v] for n, v in {"age": 1, "sex": "F", "ill": "flu", "born": "2001-02-03"}.items()})
    frame = frame.append_column("name", pa.array(["x"])).append_column("age_low", pa.array(["y"]))
    quasi = ["age", "sex", "ill", "born"]
    with pytest.raises(PolicyError, match=message.replace("(", r"\(")):
        Table.of(frame, quasi=quasi, keep=["name", "age_low"], hierarchies={"ill": ILLS}, styles=styles)


def test_levels_are_not_published_in_another_style() -> None:
    frame = pa.table({"age": [20, 20, 30, 30], "ill": ["flu", "flu", "gout", "gout"]})
    for styles in ({"age": "mean"}, {"age": "range"}, {"ill": "set"}):
        table = Table.of(frame, quasi=["age", "ill"], hierarchies={"ill": ILLS}, styles=styles)
        with pytest.raises(PolicyError, match="cannot be had where columns are published at the levels of a hierarchy"):
            OptimalRecoding().protect(table, [KAnonymity(2)])
    table = Table.of(frame, quasi=["age", "ill"], hierarchies={"ill": ILLS}, styles={"ill": "node"})
    assert OptimalRecoding().protect(table, [KAnonymity(2)]).data.columns["ill"].asked == Style("node")


@dataclass(frozen=True)
class FewRecords(ClassCriterion):
    """For this test alone: a criterion that holds for parts and not for their union."""

    name: ClassVar[str] = "few-records"
    sense: ClassVar[Any] = "≤"
    union_safe: ClassVar[bool] = False
    bound: ClassVar[int] = 2

    def worst(self, classes: Any) -> Any:
        return classes.sizes


def test_classes_that_publish_the_same_mean_are_one() -> None:
    """What fails for the union is found, and not released."""
    frame = pa.table({"age": [20, 30, 24, 26]})
    parts = (np.arange(4), np.array([0, 2, 4]))
    for style, classes in (("range", 2), ("mean", 1)):
        table = Table.of(frame, quasi=["age"], styles={"age": style})
        released, _ = publish(table, table.as_classes(*parts))
        assert released.classes.count == classes
        assert FewRecords().holds(table.as_classes(*parts)).all()
        if style == "mean":
            with pytest.raises(Infeasible, match="several parts share"):
                refuse_merged("mechanism", released, [FewRecords()])
        else:
            refuse_merged("mechanism", released, [FewRecords()])


def test_nobody_can_tell_whom_a_mean_covers() -> None:
    frame = pa.table({"age": [20, 22, 40, 44], "sex": ["F", "F", "M", "M"]})
    table = Table.of(frame, quasi=["age", "sex"], styles={"age": "mean"})
    protected = Mondrian().protect(table, [KAnonymity(2)])
    released = protected.data
    asking: list[Callable[[Table], Any]] = [K1Anonymity(frame, 2).check, KMap(frame, 2).check, Linkage(frame).mount]
    for ask in asking:
        with pytest.raises(PolicyError, match="columns age — published as means, which do not say whom they cover"):
            ask(released)
    found = Prosecutor().mount(released, protected.truth(table))
    assert (found.value, found.note) == (0.5, "computed, not simulated")
    for measure in (NCP(), LM()):
        scored = measure.score(table, released)
        assert scored.value is None
        assert "means do not say what they leave open" in scored.note
    tight = NCP(tightest=True).score(table, released).value
    ranges = Mondrian().protect(Table.of(frame, quasi=["age", "sex"]), [KAnonymity(2)]).data
    assert tight == NCP(tightest=True).score(table, ranges).value


def test_what_a_style_costs_is_measured_on_what_it_shows() -> None:
    frame = pa.table({"born": ["2019-01-11", "2019-01-31", "2019-03-01", "2019-12-31"]})
    table = Table.of(frame, quasi=["born"], styles={"born": "common"})
    released = Mondrian().protect(table, [KAnonymity(2)]).data
    assert released.arrow["born"].to_pylist() == ["2019-01-*", "2019-01-*", "2019-*", "2019-*"]
    assert NCP().score(table, released).value == pytest.approx((2 * 30 / 354 + 2 * 1.0) / 4)
    assert LM().score(table, released).value == (2 * Fraction(30, 354) + 2) / 4
    frame = pa.table({"zip": ["02139", "02138", "02150", "10001"]})
    table = Table.of(frame, quasi=["zip"], styles={"zip": "common"})
    released = Table.of(pa.table({"zip": ["0213*", "0213*", "021*", "*"]}), quasi=["zip"], published=True)
    assert NCP().score(table, released).value == pytest.approx((1 / 3 + 1 / 3 + 2 / 3 + 1) / 4)
    assert LM().score(table, released).value == Fraction(7, 12)


def test_withheld_rows_are_recognised_in_every_style() -> None:
    shown = pa.table(
        {
            "age_low": ["20", "20", "<suppressed>"],
            "age_high": ["25", "25", "<suppressed>"],
            "weight": ["70.5", "70.5", "<suppressed>"],
            "ill": ["flu", "gout", None],
        }
    )
    styles = {"age": "low-high", "weight": "mean"}
    table = Table.of(shown, quasi=["age", "weight"], sensitive=["ill"], styles=styles, published=True)
    assert table.suppressed.tolist() == [False, False, True]
    assert table.classes.sizes.tolist() == [2]
    assert table.arrow.column_names == shown.column_names
    assert {name: table.arrow[name].to_pylist() for name in shown.column_names} == shown.to_pydict()


def test_cells_of_every_style_are_read_back() -> None:
    for cell in (Exact("~5"), Interval("2019-01-01", "2020-12-31"), Set(("", "a,b")), Prefix("2019-03-"), Prefix("02")):
        assert parse(cell.text) == cell
    assert parse(Mean("22.5").text, means=True) == Mean("22.5")
    assert parse("", means=True) == Exact("")
    for ends in (("20", "*"), ("[20-25]", "[20-25]"), ("", "30"), ("a", "a")):
        frame = pa.table({"age_low": [ends[0]], "age_high": [ends[1]]})
        with pytest.raises(DataError, match="no range"):
            Table.of(frame, quasi=["age"], styles={"age": "low-high"}, published=True)


POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns:
      who: subject
      age: {role: quasi, type: number, style: AGE}
      born: {role: quasi, style: BORN}
      zip: {role: quasi, style: ZIP}
      ill: {role: quasi, hierarchy: {csv: tree.csv}, style: ILL}
      drug: sensitive
    require: [k-anonymity: {k: 3}, l-diversity: {l: 2}]
    using: USING
    attacks: [prosecutor, linkage: {population: {csv: people.csv}}]
    utility: [ncp, lm, query-error]
write: {csv: out}
"""


def desk(directory: Path, **words: str) -> Path:
    given = {"AGE": "range", "BORN": "range", "ZIP": "set", "ILL": "node", "USING": "mondrian"} | words
    policy = POLICY
    for word, value in given.items():
        policy = policy.replace(word, value)
    rows = []
    for i in range(60):
        age = 20 + i * 7 % 40 if i % 11 else ""
        born, code = f"19{50 + i * 13 % 40}-0{1 + i % 9}-1{i % 10}", f"0{2100 + i * 17 % 90}"
        rows.append(f"p{i},{age},{born},{code},{['flu', 'gout', 'ache'][i // 20]},{'xyz'[i % 3]}")
    (directory / "people.csv").write_text("who,age,born,zip,ill,drug\n" + "\n".join(rows) + "\n")
    (directory / "tree.csv").write_text("flu;lung;*\ngout;joints;*\nache;joints;*\n")
    (directory / "policy.yaml").write_text(policy)
    return directory / "policy.yaml"


@pytest.mark.parametrize(
    "words",
    [
        {"AGE": "low-high", "BORN": "common", "ZIP": "common", "ILL": "set"},
        {"AGE": "mean", "BORN": "mean", "ILL": "common"},
        {"AGE": "{mean: 1}", "BORN": "low-high", "USING": "k-member"},
        {"AGE": "set", "BORN": "set", "ZIP": "common", "USING": "multi-record-partitioning"},
        {"AGE": "common", "BORN": "range", "USING": "{mondrian: {suppress: 0.1}}"},
    ],
    ids=lambda words: "-".join(words.values()),
)
def test_each_style_is_released_and_verified_from_public_alone(tmp_path: Path, words: dict[str, str]) -> None:
    done = release(check(desk(tmp_path, **words)))
    public = done.directory / "public"
    alone, inside = verify(public), verify(done.directory)
    assert alone.ok
    assert inside.ok
    dictionary = json.loads((public / "dictionary.json").read_text())["people"]
    lines = (public / "people.csv").read_text().splitlines()
    assert [name.strip('"') for name in lines[0].split(",")] == list(dictionary)
    asked = words["AGE"]
    if asked == "low-high":
        assert dictionary["age_low"] == {"role": "quasi", "kind": "number", "style": "low-high", "of": "age"}
    elif "mean" in asked:
        assert dictionary["age"] == {"role": "quasi", "kind": "number", "style": "mean", "decimals": int("1" in asked)}
    names = [name for name, facts in dictionary.items() if facts["role"] == "quasi"]
    where = [list(dictionary).index(name) for name in names]
    rows = list(csv.reader(lines[1:]))
    seen = [tuple(row[i] for i in where) for row in rows]
    assert min(seen.count(row) for row in seen) >= 3


def test_check_sees_that_the_name_of_an_end_is_taken(tmp_path: Path) -> None:
    """A column that is dropped, or a style that has no ends, takes no name."""
    policy = desk(tmp_path, AGE="low-high")
    data, drug = (tmp_path / "people.csv").read_text(), "drug: sensitive"
    (tmp_path / "people.csv").write_text(data.replace("drug", "age_low"))
    text = policy.read_text()
    policy.write_text(text.replace(drug, "age_low: sensitive"))
    with pytest.raises(PolicyError, match=r"columns\.age\.style — style low-high publishes age_low and age_high, but"):
        check(policy)
    policy.write_text(text.replace(drug, "age_low: drop").replace(", l-diversity: {l: 2}", ""))
    check(policy)
    policy.write_text(text.replace(drug, "age_low: sensitive").replace("low-high", "range"))
    check(policy)


def test_a_changed_style_is_found(tmp_path: Path) -> None:
    """A certificate that calls means exact values would let anyone 'prove' that nobody fits them."""
    done = release(check(desk(tmp_path, AGE="mean", BORN="low-high")))
    path = done.directory / "public" / "certificate.json"
    text = path.read_text()
    for before, after in (
        ('"style": "mean"', '"style": "range"'),
        ('"of": "born"', '"of": "age"'),
        ('"style": "low-high"', '"style": "set"'),
    ):
        assert before in text
        certificate = json.loads(text)
        columns = json.loads(json.dumps(certificate["datasets"]["people"]["columns"]).replace(before, after))
        certificate["datasets"]["people"]["columns"] = columns
        path.write_text(json.dumps(certificate, ensure_ascii=False))
        dictionary = path.parent / "dictionary.json"
        dictionary.write_text(json.dumps({"people": columns}))
        write_sums(path.parent)
        assert not verify(path.parent).ok, before


def test_a_population_is_not_certified_against_means(tmp_path: Path) -> None:
    path = desk(tmp_path, AGE="mean")
    originals = "k-1-anonymity: {k: 2, originals: {csv: people.csv}, subject: who}"
    path.write_text(path.read_text().replace("l-diversity: {l: 2}", originals))
    with pytest.raises(PolicyError, match="published as means"):
        release(check(path))
    assert not (tmp_path / "out" / "r").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"AGE": "median"}, "columns.age.style — no style named 'median'"),
        (
            {"AGE": "{mean: many}"},
            "columns.age.style — must be a name, or mean with its decimals, a whole number, at least 0 and at most 12",
        ),
        ({"ILL": "range"}, "columns.ill.style — range is for columns without a hierarchy"),
        ({"ZIP": "node"}, "columns.zip.style — node needs a hierarchy"),
    ],
)
def test_mistakes_in_a_policy_have_their_place(tmp_path: Path, words: dict[str, str], message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        load(desk(tmp_path, **words))
    assert [message in str(mistake) for mistake in caught.value.mistakes] == [True]
    assert caught.value.mistakes[0].line


def test_what_only_the_data_shows_is_refused_when_it_is_read(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"columns\.zip — style mean needs numbers or dates"):
        release(check(desk(tmp_path, ZIP="mean")))
    with pytest.raises(PolicyError, match="cannot be had where columns are published at the levels"):
        release(check(desk(tmp_path, AGE="mean", USING="optimal-recoding")))


def test_the_names_are_all_there() -> None:
    assert set(STYLES) == {style for _, styles in COLUMNS.values() for style in styles}


@pytest.mark.parametrize("name", [entry.name for entry in registry.entries("tables", "mechanisms")])
def test_no_mechanism_ignores_a_style(name: str) -> None:
    """It keeps the style, or refuses the work; what needs other parameters than its own is not asked."""
    frame = pa.table({"age": [20, 21, 30, 31] * 5, "who": [f"p{i}" for i in range(20)], "ill": ["flu", "gout"] * 10})
    try:
        mechanism = registry.lookup("tables", "mechanisms", name)()
    except (TypeError, ValueError):
        return
    for style in ("mean", "low-high", "set"):
        table = Table.of(frame, quasi=["age"], subject="who", sensitive=["ill"], styles={"age": style})
        try:
            released = mechanism.protect(table, [KAnonymity(2)], Key(b"a fixed secret of this one test"))
        except (PolicyError, Infeasible):
            continue
        assert released.data.columns["age"].asked == Style(style)
        assert ("age_low" in released.data.arrow.column_names) == (style == "low-high")
