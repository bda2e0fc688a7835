"""Names of a language pack count again in the same note, but not where they are words or another finding."""

from __future__ import annotations

from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.matcher.repeated_names import RepeatedNames

REVIEWER = RepeatedNames(frozenset(("stark",)))


def again(text: str, *won: Span, safe: tuple[Span, ...] = ()) -> list[str]:
    note = Text(text)
    spans = REVIEWER.after_resolution(note, won, safe)
    assert spans == sorted(spans, key=lambda span: span.start)
    return [note[span.start : span.end] for span in spans]


def test_a_certain_name_counts_again() -> None:
    assert again("Herr Trawin kam. Trawin ging, trawin nicht.", Span(5, 11, "NAME", 0.9)) == ["Trawin", "Trawin"]


def test_words_uncertain_and_short_names_do_not() -> None:
    assert again("Herr Stark kam. Stark blutend.", Span(5, 10, "NAME", 0.9)) == ["Stark"]
    assert again("Herr Trawin kam. Trawin ging.", Span(5, 11, "NAME", 0.5)) == ["Trawin"]
    assert again("Herr Abt kam. Abt ging.", Span(5, 8, "NAME", 0.9)) == ["Abt"]


def test_nothing_is_taken_from_others() -> None:
    won = (Span(5, 11, "NAME", 0.9), Span(17, 29, "ADDRESS", 0.8))
    assert again("Herr Trawin kam. Trawin Weg 12", *won) == ["Trawin", "Trawin Weg 1"]
    assert again("Herr Trawin kam. Trawin-Test", won[0], safe=(Span(17, 28, "SAFE", 1.0),)) == ["Trawin"]
    assert REVIEWER.find("Herr Trawin") == []
