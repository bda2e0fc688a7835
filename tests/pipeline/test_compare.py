"""`sharewell compare`: variants side by side, the front among them, and a map that can be read."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.dossier.label_layout import LETTER, LINE, Label, labels, linear, logarithmic
from sharewell.errors import PolicyError
from sharewell.pipeline.compare import Comparison, Point, _with_front, compare, compare_policy
from sharewell.policy import check, load
from sharewell.policy.algorithms import usual_measure
from sharewell.policy.schema import json_schema
from sharewell.tables import NCP, KAnonymity, KMap, KMember, LDiversity, Mondrian, OptimalRecoding, Prosecutor, Table

POLICY = """\
sharewell: 1
release: {name: r1}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {age: quasi, town: quasi, illness: sensitive}
    require: [k-anonymity: {k: 4}, l-diversity: {l: 2}]
    using: mondrian
    attacks: [prosecutor: {threshold: 0.2}]
    utility: [ncp: {at_most: 0.3}]
    compare: {}
write: {csv: out}
"""


def people(n: int = 150) -> Any:
    rng = np.random.default_rng(3)
    towns = rng.choice(["Aytonbury", "Beebyfield", "Corbyville"], n)
    return pa.table({"age": rng.integers(0, 90, n), "town": towns, "illness": rng.choice(["fluxx", "goutx"], n)})


def table() -> Table:
    return Table.of(people(), quasi=["age", "town"], sensitive=["illness"])


def desk(tmp_path: Path, section: str = "{}") -> Path:
    pa_csv.write_csv(people(), tmp_path / "people.csv")
    (tmp_path / "policy.yaml").write_text(POLICY.replace("compare: {}", f"compare: {section}"))
    return tmp_path / "policy.yaml"


def test_every_variant_has_the_risk_and_the_loss_it_would_have_alone() -> None:
    found = compare(table(), [[KAnonymity(k)] for k in (2, 5)], [Mondrian(), KMember()])
    assert [(p.label, p.mechanism) for p in found.points] == [
        (f"k = {k}", name) for k in (2, 5) for name in ("mondrian", "k-member")
    ]
    for point, (k, mechanism) in zip(
        found.points, [(k, m) for k in (2, 5) for m in (Mondrian(), KMember())], strict=True
    ):
        after = mechanism.protect(table(), [KAnonymity(k)]).data
        assert point.risk == Prosecutor().mount(after).value
        assert point.loss == NCP().score(table(), after).value
        assert point.classes == after.classes.count


numbers = st.floats(0, 1).map(lambda x: round(x, 1))


@given(st.lists(st.tuples(numbers, numbers), max_size=12), st.booleans())
def test_the_front_is_what_nothing_dominates(places: list[tuple[float, float]], upwards: bool) -> None:
    points = [Point("", "", "", risk, loss) for risk, loss in places]
    for one, marked in zip(points, _with_front(points, upwards), strict=True):
        losses = [-p.loss if upwards else p.loss for p in points]
        own = -one.loss if upwards else one.loss
        beaten = any(
            p.risk <= one.risk and loss <= own and (p.risk, loss) != (one.risk, own)
            for p, loss in zip(points, losses, strict=True)
        )
        assert marked.best is not beaten


@given(st.lists(st.tuples(st.floats(20, 380), st.floats(20, 280)), max_size=20))
def test_labels_lie_neither_on_each_other_nor_outside(marks: list[tuple[float, float]]) -> None:
    frame = (0.0, 0.0, 400.0, 300.0)
    placed = [one for one in labels(marks, ["k = 11"] * len(marks), frame) if isinstance(one, Label)]
    boxes = [(one.x, one.y + 3.5 - LINE, one.x + LETTER * 6, one.y + 3.5) for one in placed]
    assert all(x >= 0 and y >= 0 and right <= 400 and bottom <= 300 for x, y, right, bottom in boxes)
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert not (a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3])


@given(st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=6))
def test_axes_enclose_their_values_between_round_numbers(values: list[float]) -> None:
    for scale in (linear(values, 0, 100), logarithmic(values, 0, 100)):
        assert scale.low <= min(values) * 1.001
        assert scale.high >= max(values) * 0.999
        assert scale.ticks[0] == scale.low
        assert scale.ticks[-1] == scale.high
        assert len(scale.ticks) >= 2


def test_what_cannot_be_done_is_listed_with_its_reason() -> None:
    found = compare(table(), [[KAnonymity(500)], [KMap(people(), 2)], [KAnonymity(3)]], [Mondrian()])
    assert [bool(point.why_not) for point in found.points] == [True, True, False]
    assert "all rows as one class reach 150" in found.points[0].why_not
    assert "cannot make k-map hold" in found.points[1].why_not
    assert [point.criteria for point in found.pareto] == ["k-anonymity (k = 3)"]


def test_nothing_to_draw_is_said() -> None:
    found = compare(table(), [[KAnonymity(500)]], [Mondrian()])
    assert "nothing to draw" in found.svg()
    assert "What could not be done" in found.html()


def test_the_map_is_well_formed_and_silent_about_values(tmp_path: Path) -> None:
    found = compare(
        table(),
        [[KAnonymity(k), LDiversity(2)] for k in (2, 3, 5, 11, 20)],
        [Mondrian(), KMember(), OptimalRecoding()],
        part="average",
        name="<people> & co",
    )
    drawn = ElementTree.fromstring(found.svg())
    texts = ["".join(node.itertext()) for node in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"mondrian", "k-member", "optimal-recoding", "loss of utility: ncp"} <= set(texts)
    assert any(text.startswith("risk: prosecutor.average") for text in texts)
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}g"))) == len(found.drawn)
    page = found.html()
    ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>\n"))
    assert "&lt;people&gt; &amp; co" in page
    assert "script" not in page.replace("description", "")
    for hidden in ("Aytonbury", "Corbyville", "fluxx", "goutx"):
        assert hidden not in page + found.csv() + json.dumps(found.to_json())


def test_the_table_reads_back(tmp_path: Path) -> None:
    found = compare(table(), [[KAnonymity(2)], [KAnonymity(500)]], [Mondrian()])
    rows = list(csv.DictReader(io.StringIO(found.csv())))
    assert float(rows[0]["ncp"]) == found.points[0].loss
    assert [row["front"] for row in rows] == ["yes", ""]


def test_the_command_writes_page_drawing_table_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "map"
    using = ["--using", "mondrian,optimal-recoding"]
    assert main(["compare", str(desk(tmp_path)), "--k", "2,5", *using, "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "nothing was released" in shown
    assert sorted(path.name for path in out.iterdir()) == ["compare.html", "compare.json", "people.csv", "people.svg"]
    plain = json.loads((out / "compare.json").read_text())["people"]
    assert [(p["label"], p["mechanism"]) for p in plain["points"]] == [
        (f"k = {k}", name) for k in (2, 5) for name in ("mondrian", "optimal-recoding")
    ]
    assert plain["loss_bound"] == 0.3
    assert "promised: ncp ≤ 0.3" in (out / "people.svg").read_text()
    assert not (tmp_path / "out").exists()
    assert main(["compare", str(tmp_path / "policy.yaml"), "--k", "2", "--using", "mondrian", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["people"]["rows"] == 150


def test_without_variants_the_usual_ones_are_compared(tmp_path: Path) -> None:
    found = compare_policy(check(desk(tmp_path)))["people"]
    assert sorted({p.label for p in found.points}) == ["k = 11", "k = 2", "k = 20", "k = 4", "k = 5"]
    assert found.points[0].mechanism == "mondrian"
    assert {p.mechanism for p in found.points} == {"k-member", "mondrian", "optimal-recoding", "top-down"}


def test_notes_are_compared_after_the_table_that_is_made_from_them() -> None:
    policy = Path(__file__).parents[2] / "examples" / "hide" / "policy.yaml"
    found = compare_policy(check(policy), using=())
    assert list(found) == ["notes-extracted", "notes"]
    assert {p.label for p in found["notes-extracted"].drawn} == {"k = 2", "k = 5", "k = 11", "k = 20"}
    [notes] = found["notes"].points
    assert not notes.why_not
    assert notes.risk is not None
    assert found["notes"].risk_before is not None
    assert notes.risk < found["notes"].risk_before


def test_what_a_kind_does_not_know_is_left_out_for_its_datasets() -> None:
    policy = check(Path(__file__).parents[2] / "examples" / "hide" / "policy.yaml")
    found = compare_policy(policy, k=(2, 5), using=("mondrian", "replace"), risk="prosecutor.average", measure="ncp")
    table, notes = found["notes-extracted"], found["notes"]
    assert [(p.label, p.mechanism) for p in table.points] == [("k = 2", "mondrian"), ("k = 5", "mondrian")]
    assert (table.risk, table.measure) == ("prosecutor.average", "ncp")
    assert (notes.risk, notes.measure) == ("note-linkage", usual_measure("notes"))
    assert [(p.mechanism, bool(p.why_not)) for p in notes.points] == [("replace", False)]


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"using": ("mondrian", "mondrain")}, "no mechanisms named 'mondrain' for tables — did you mean 'mondrian'"),
        ({"risk": "prosecuter.average"}, "no attacks named 'prosecuter' for notes(.|\n)* for tables — did you mean"),
        ({"measure": "npc"}, "no utility named 'npc' for tables"),
        ({"risk": "linkage"}, "'linkage' needs parameters"),
    ],
)
def test_what_no_dataset_knows_is_told_before_any_work(given: dict[str, Any], what: str) -> None:
    policy = check(Path(__file__).parents[2] / "examples" / "hide" / "policy.yaml")
    steps: list[str] = []
    with pytest.raises(PolicyError, match=what):
        compare_policy(policy, progress=steps.append, **given)
    assert not steps


def test_a_k_that_no_dataset_can_have_is_refused_before_any_work() -> None:
    policy = check(Path(__file__).parents[2] / "examples" / "hide" / "policy.yaml")
    alone = replace(policy, datasets={"notes": replace(policy.datasets["notes"], extract=None)})
    steps: list[str] = []
    with pytest.raises(PolicyError, match="no criterion of the policy has a k"):
        compare_policy(alone, k=(2,), progress=steps.append)
    assert not steps


def test_the_policy_can_name_the_variants(tmp_path: Path) -> None:
    section = (
        "{k: [3], require: [[k-anonymity: {k: 3}, entropy-l-diversity: {l: 1.5}]], using: [mondrian: {suppress: 0.05}],"
        " risk: prosecutor.average, measure: lm}"
    )
    found = compare_policy(check(desk(tmp_path, section)), rows=100)["people"]
    assert (found.risk, found.measure, found.rows, found.of_rows) == ("prosecutor.average", "lm", 100, 150)
    assert [p.criteria for p in found.points] == [
        "k-anonymity (k = 3), l-diversity (l = 2)",
        "k-anonymity (k = 3), entropy-l-diversity (l = 1.5)",
    ]
    assert {p.mechanism for p in found.points} == {"mondrian (suppress = 0.05)"}
    assert [p.label for p in found.points] == ["l-diversity (l = 2)", "entropy-l-diversity (l = 1.5)"]


@pytest.mark.parametrize(
    ("section", "what"),
    [
        ("{k: [0]}", r"12:19: .*k has an entry that must be at least 1"),
        ("{k: 5}", r"12:15: .*k must be a list"),
        ("{using: [mondrain]}", r"12:23: .*no mechanisms named 'mondrain'"),
        ("{require: [k-anonymity]}", r"12:25: .*must be a list of criteria"),
        ("{require: [[k-anonymity: {k: strictest}]]}", r"12:26: .*strictest has no place in a comparison"),
        ("{risk: prosecuter.average}", r"12:15: .*no attacks named 'prosecuter'"),
        ("{measure: npc}", r"12:15: .*no utility named 'npc'"),
        ("{riks: prosecutor}", r"12:15: .*unknown key 'riks' — did you mean 'risk'"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path: Path, section: str, what: str) -> None:
    with pytest.raises(PolicyError, match=what):
        load(desk(tmp_path, section))


def test_bad_options_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(desk(tmp_path))
    assert main(["compare", path, "--using", "mondrain"]) == 2
    assert main(["compare", path, "--risk", "linkage"]) == 2
    assert "needs parameters" in capsys.readouterr().err
    for wrong in ("0", "x", ""):
        with pytest.raises(SystemExit):
            main(["compare", path, "--k", wrong])
    for wrong in ("0", "-3", "many"):
        with pytest.raises(SystemExit):
            main(["compare", path, f"--rows={wrong}"])


def test_the_schema_knows_the_section() -> None:
    dataset = json_schema()["properties"]["datasets"]["additionalProperties"]
    assert set(dataset["properties"]["compare"]["properties"]) == {"k", "require", "using", "risk", "measure"}
    assert "auto" in json.dumps(dataset["properties"]["using"])


def test_a_measure_of_which_more_is_better_turns_the_axis() -> None:
    points = (Point("a", "m", "k = 2", 0.5, 0.9, best=True), Point("b", "m", "k = 5", 0.2, 0.4, best=True))
    drawn = Comparison("", "prosecutor", "prediction", points, 10, 10, more_is_better=True).svg()
    assert "← more kept" in drawn
