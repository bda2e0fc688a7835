"""What the dossier says of text: counts, what was withheld and why, and invented notes that are said to be invented."""

from __future__ import annotations

from typing import Any

from sharewell.dossier.views import Dataset
from sharewell.notes.dossier import INVENTED, NotesDossier
from sharewell.notes.engine.examples import examples
from sharewell.notes.mechanisms.replace import Replace

DETAILS: dict[str, Any] = {"changed": {"NAME": 1200, "DOSE": 3}, "withheld": {"language": 2, "odd": 1}}


def page(found: dict[str, Any], kind: str = "notes") -> str:
    return str(NotesDossier().section(Dataset("d", 0, {"kind": kind}, found)) or "")


def test_pieces_and_withheld_notes_are_counted() -> None:
    said = page({"mechanism": {"details": DETAILS}})
    assert "1\u202f203 pieces of text replaced" in said
    assert "2 not in a language that the policy names" in said
    assert "1 odd" in said
    assert INVENTED not in said


def test_a_column_of_text_is_named() -> None:
    said = page({"texts": {"remarks": {"details": {"changed": {"DATE": 2}, "withheld": {}}}}}, "tables")
    assert "remarks" in said
    assert "None of the cells was withheld" in said
    assert page({}, "tables") == ""


def test_examples_are_invented_and_say_so() -> None:
    shown = examples(Replace())
    assert len(shown) == 3
    for one in shown:
        before, after = ("".join(text for text, _ in one[side]) for side in ("before", "after"))
        kinds = [[kind for _, kind in one[side] if kind] for side in ("before", "after")]
        assert before != after
        assert kinds[0] == kinds[1]
    said = page({"mechanism": {"details": DETAILS}, "examples": shown})
    assert INVENTED in said
    assert said.count('<mark class="piece of-') > 20
    assert examples(Replace()) == shown, "always the same"


def test_hostile_text_stays_text_and_odd_findings_raise_nothing() -> None:
    said = page({"examples": [{"kind": "<b>", "before": [["<script>", "NAME"], ["&", ""]], "after": [7, None, ["x"]]}]})
    assert "<script>" not in said
    assert "&lt;script&gt;" in said
    for odd in (None, 3, "x", [None], [{}], {"a": 1}):
        page({"examples": odd, "texts": odd, "mechanism": {"details": odd}})
