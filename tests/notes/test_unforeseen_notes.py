"""A note that cannot be rewritten is withheld and counted; the others are published as if it were not there."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sharewell
from sharewell.cli import main
from sharewell.errors import DataError, Infeasible
from sharewell.keys import Key
from sharewell.notes import Known, NoKnownIdentifiers, Notes, Pacs, Replace
from sharewell.notes.data import ListedIdentifiers
from sharewell.notes.detectors import Detectors
from sharewell.notes.engine.protection.person_by_person import person_by_person
from sharewell.notes.engine.rewritten_text import NoteOwner, RewrittenNote, apply_edits

KEY = Key(b"an example key of enough bytes..")
POSSESSIVE = "Seen with Jeremy Hartmann of Gradiant Research LLC's, Ástríður Steinarsdóttir of Iku, for the fever."


def test_spans_never_overlap_whatever_grows() -> None:
    """The rule for shops grew over the 's, of which another detector had the s."""
    spans = Detectors.usual().find(POSSESSIVE)
    assert all(one.end <= other.start for one, other in itertools.pairwise(spans))
    (made,) = Replace().rewrite([POSSESSIVE], NoteOwner("p", KEY))
    assert made.text is not None
    assert "Hartmann" not in made.text
    assert "Gradiant" not in made.text


class Choking:
    """It cannot take some notes, alone or together."""

    name = "choking"

    def rewrite(self, texts: Sequence[str], whose: NoteOwner) -> list[RewrittenNote]:
        if any("bad" in text for text in texts) or sum("pair" in text for text in texts) > 1:
            raise ValueError("SECRET")
        return [apply_edits(text, []) for text in texts]


def test_a_note_that_cannot_be_rewritten_is_withheld_alone() -> None:
    texts = ["good one", "bad one", "good two", "bad alone", "pair a", "pair b"]
    notes = Notes.of(texts, ["p1", "p1", "p1", "p2", "p3", "p3"])
    made = person_by_person(Choking(), notes, [], KEY)
    assert made.details.withheld == {"could not be rewritten": 4}
    assert made.details.withheld_notes == {"could not be rewritten": (2, 4, 5, 6)}
    assert sorted(made.data.texts) == ["good one", "good two"]


def test_if_no_note_can_be_rewritten_nothing_is_published() -> None:
    with pytest.raises(DataError) as caught:
        person_by_person(Choking(), Notes.of(["bad one", "bad two"], ["p1", "p2"]), [], KEY)
    assert str(caught.value) == "notes — 2 could not be rewritten, and none is left to publish"


def test_the_command_counts_what_it_withholds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = Replace.rewrite

    def choking(self: Replace, texts: Sequence[str], whose: NoteOwner) -> list[RewrittenNote]:
        if any("odd" in text for text in texts):
            raise ValueError("SECRET")
        return usual(self, texts, whose)

    monkeypatch.setattr(Replace, "rewrite", choking)
    lines = ["The patient came with a fever and feels well.", "The patient is odd and came with a cough."]
    (tmp_path / "n.jsonl").write_text("".join(json.dumps({"text": line}) + "\n" for line in lines))
    assert main(["notes", "protect", str(tmp_path / "n.jsonl"), "--out", str(tmp_path / "out.jsonl")]) == 0
    told = capsys.readouterr().out
    assert "withheld 1 (could not be rewritten): note 2" in told
    assert (tmp_path / "out.jsonl").read_text().count("\n") == 1


BITS = ["at Joe's,", "from Huck's.", "Wendy's'", "'s", "Dr. O'Neil-", "St. Mary's", "Mon", "May 3", "3/4", "born 1921",
        "94 y/o", "(JB)", "10 mg", "Ave", "12 Elm", "MA 02138", "#5", "J.B.", "tel 555-1234", "MRN", "ﬁ", "Jose\u0301",
        "&amp;", "\u00ad", "İ", "\x00", "\n", "{\\rtf1", "\\par", "", " ", "the", "was", "seen by", "aspirin",
        "of"]  # fmt: skip
odd_texts = st.lists(st.one_of(st.sampled_from(BITS), st.text(max_size=8)), max_size=16).flatmap(
    lambda bits: st.sampled_from(["", " ", ", ", "'"]).map(lambda glue: glue.join(bits))
)
KNOWN = Known.of(names=["Joe Huck", "May S. O'Neil"], dates=["1921-03-04"], ids=["12"], places=["02138"])
WAYS = [
    Replace(language="any"),
    Replace(language="any", names="suppress", dates="suppress", places="suppress", organisations="suppress"),
    Replace(language="any", names="tag", dates="tag", doses="round", drugs={"generalise": 1}, zips="zip3"),
    Pacs(),
]


@settings(max_examples=80, deadline=None)
@given(st.lists(odd_texts, min_size=1, max_size=4), st.sampled_from(WAYS), st.booleans())
def test_odd_notes_stop_nothing(texts, mechanism, known) -> None:
    """Every note is published or withheld and named by its number; a sound note beside them is published."""
    sound = "The patient came with a fever and feels well."
    people = ListedIdentifiers({"p": KNOWN}) if known else None
    notes = Notes((*texts, sound), ("p",) * (len(texts) + 1), people)
    made = person_by_person(mechanism, notes, [], KEY)
    named = [number for numbers in made.details.withheld_notes.values() for number in numbers]
    assert sorted([*(made.rows + 1).tolist(), *named]) == list(range(1, len(texts) + 2))
    assert len(texts) + 1 not in named


@settings(max_examples=40, deadline=None)
@given(st.lists(odd_texts, min_size=1, max_size=4), st.booleans())
def test_a_mechanism_that_fails_on_some_notes_withholds_those(texts, alone) -> None:
    """Whatever it raises, and wherever: the others come out as if they had been given without them."""

    class Failing(Replace):
        def rewrite(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote]:
            if any("'s" in text for text in texts):
                raise ValueError("edits overlap, or leave the text")
            return super().rewrite(texts, owner)

    sound = "The patient came with a fever and feels well."
    persons = [f"p{i if alone else 0}" for i in range(len(texts) + 1)]
    notes = Notes.of([*texts, sound], persons)
    made = person_by_person(Failing(language="any"), notes, [], KEY)
    bad = tuple(i for i, text in enumerate(texts, 1) if "'s" in text and text.strip())
    assert made.details.withheld_notes.get("could not be rewritten", ()) == bad
    assert sound in made.data.texts


def test_a_release_goes_on_without_the_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Replace.rewrite

    def choking(self: Replace, texts: Sequence[str], whose: NoteOwner) -> list[RewrittenNote]:
        if any("Huck" in text for text in texts):
            raise ValueError("SECRET")
        return usual(self, texts, whose)

    monkeypatch.setattr(Replace, "rewrite", choking)
    lines = ["The patient came with a fever.", "He was taken home from Huck's.", "The patient feels well and slept."]
    rows = [json.dumps({"who": f"p{i}", "text": line}) + "\n" for i, line in enumerate(lines)]
    (tmp_path / "n.jsonl").write_text("".join(rows))
    (tmp_path / "policy.yaml").write_text(
        "sharewell: 1\nrelease: {name: r}\ndatasets:\n  notes:\n    kind: notes\n    read: {jsonl: n.jsonl}\n"
        "    columns: {who: subject, text: text}\n    require: [safe-harbor]\n"
        "    using: {replace: {dates: year}}\nwrite: {csv: out}\n"
    )
    done = sharewell.release(tmp_path / "policy.yaml")
    assert sharewell.verify(done.directory / "public").ok
    assert "Huck" not in (done.directory / "public" / "notes.csv").read_text()
    dossier = (done.directory / "internal" / "dossier.html").read_text()
    assert "1 on which the mechanism failed (note 2)" in dossier


def test_if_no_note_is_english_the_refusal_says_so_and_what_would_help() -> None:
    """Criteria alone could only say that there are no notes to judge."""
    german = ["Der Patient klagt seit gestern über starke Schmerzen in der Brust und kann nicht schlafen.", ""]
    notes = Notes.of(german, ["p1", "p2"], {"p1": Known.of(names=["Marta Vogel"])}, column="Notiz")
    with pytest.raises(Infeasible) as caught:
        Replace().protect(notes, [NoKnownIdentifiers()], KEY)
    assert str(caught.value).splitlines() == [
        "replace — column Notiz — 1 of 2 texts are not in English, and no text is left to publish",
        "  would help: role drop for column Notiz",
        "  would help: using: {replace: {language: german}}, or another language that has a pack",
        "  would help: using: {replace: {language: any}}, once you have seen what it leaves: names are found in"
        " English alone",
    ]
