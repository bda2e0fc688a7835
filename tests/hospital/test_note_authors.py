"""The authors of notes: each writes, and in their own way."""

from __future__ import annotations

from typing import Any

from sharewell.hospital.note_authors import Author, authors_of, load_authors
from sharewell.hospital.note_templates import load_templates

Pairs = list[tuple[dict[str, Any], dict[str, Any]]]


def test_at_least_twelve_authors_write_and_each_in_their_own_way(notes: Pairs) -> None:
    by_author: dict[str, list[str]] = {}
    for note, truth in notes:
        by_author.setdefault(truth["author"], []).append(note["body"])
    assert {author.name for author in load_authors()} == set(by_author)
    assert len(by_author) >= 12
    assert min(map(len, by_author.values())) >= 20
    assert all(body.isupper() for body in by_author["capitals"])
    assert all(body.islower() for body in by_author["small letters"])
    assert not any(author.writes and set(author.writes) - set(load_templates()) for author in load_authors())


def test_words_are_shortened_and_what_is_labelled_stays() -> None:
    author = Author("clipped", (), 0, {"with": "c", "pt": "patient"}, closes=" end")
    parts = [("seen with ", None), ("With", "NAME"), (" within pt care", None)]
    assert "".join(text for text, _ in author.written(parts)) == "seen c With within patient care end"


def test_what_nobody_claims_everybody_writes() -> None:
    assert authors_of("n13") == load_authors()
    assert [author.name for author in authors_of("n26")] == ["dictated"]
