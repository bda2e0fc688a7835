"""What a notebook shows is escaped, and no cell of an original is among it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pyarrow as pa
import pytest

import sharewell
from sharewell import notebook
from sharewell.findings import Finding, Tier, html_of_findings
from sharewell.tables import KAnonymity, Mondrian, Table

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  "<d>":
    kind: tables
    read: {csv: d.csv}
    columns: {id: subject, age: quasi, "<b>town": quasi, illness: sensitive}
    require: [k-anonymity: {k: 2}]
    using: mondrian
write: {csv: out}
"""
CELLS = ("p17", "Zanzibar", "leprosy", "41")


class Tags(HTMLParser):
    """Checks that tags are closed in order, and collects them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert attrs == []
        self.found.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


KNOWN = {"div", "p", "br", "table", "caption", "thead", "tbody", "tr", "th", "td", "h4"}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    desk = tmp_path_factory.mktemp("notebook")
    rows = "".join(f"p{i},{31 + i % 11},{('Zanzibar', 'Oslo')[i % 2]},{('flu', 'leprosy')[i % 2]}\n" for i in range(24))
    (desk / "d.csv").write_text("id,age,<b>town,illness\n" + rows)
    (desk / "policy.yaml").write_text(POLICY.replace('"<d>"', "d"))
    return desk


def test_plans_releases_and_verifications_show_no_cell(desk: Path) -> None:
    plan = sharewell.plan(desk / "policy.yaml")
    done = sharewell.release(str(desk / "policy.yaml"))
    verified = sharewell.verify(str(done.directory))
    risk = sharewell.risk(desk / "d.csv", quasi=["age", "<b>town"], sensitive=["illness"], subject="id")
    for one in (plan, plan["d"], done, verified, risk):
        told = one._repr_html_()
        assert Tags(told).found <= KNOWN
        assert not [cell for cell in CELLS if cell in told.replace(str(desk), "")]
    assert "&lt;b&gt;town" in plan._repr_html_()
    assert "k-anonymity" in done._repr_html_()
    assert "0 problem(s)" in verified._repr_html_()


def test_a_failed_verification_says_so(desk: Path, tmp_path: Path, small_release: Path) -> None:
    import shutil

    copied = Path(shutil.copytree(small_release, tmp_path / "copied"))
    (copied / "public" / "dictionary.json").write_text("{}")
    assert "FAILS: " in sharewell.verify(copied)._repr_html_()


def test_originals_show_roles_and_published_tables_rows() -> None:
    frame = pa.table({"age": [41, 42, 51, 52], "town": ["<Zanzibar>"] * 4, "id": ["p17", "p18", "p19", "p20"]})
    table = Table.of(frame, quasi=["age", "town"], subject="id")
    told = table._repr_html_()
    assert not [cell for cell in CELLS if cell in told]
    assert "4 persons" in told
    protected = Mondrian().protect(table, [KAnonymity(2)])
    shown = protected._repr_html_()
    assert Tags(shown).found <= KNOWN
    assert "<td>[41-42]</td><td>&lt;Zanzibar&gt;</td>" in shown
    assert "p17" not in shown


def test_rows_of_a_published_table_are_not_in_the_order_of_the_original() -> None:
    frame = pa.table({"age": [52, 41, 51, 42]})
    shown = Mondrian().protect(Table.of(frame, quasi=["age"]), [KAnonymity(2)]).data._repr_html_()
    assert shown.index("[41-42]") < shown.index("[51-52]")


def test_findings_show_their_parts_and_only_the_columns_they_use() -> None:
    part = Finding.judge("k", 3, "≥", 2, column="<zip>").at(Tier.RECIPIENT)
    whole = Finding.judge("whole", None, "≥", 2, parts=[part], note="a & b")
    told = whole._repr_html_()
    assert Tags(told).found <= KNOWN
    assert "UNDECIDED" in told
    assert "· k" in told
    assert "&lt;zip&gt;" in told
    assert "a &amp; b" in told
    assert "<th>note</th>" not in part._repr_html_()
    assert html_of_findings([]) == ""


def test_names_that_hide_something_are_spelt_out() -> None:
    assert notebook.text("a\u202eb\x1b") == "a\\u202eb\\u001b"
    assert notebook.paragraph("", None) == ""
    assert notebook.of(7) == ""
