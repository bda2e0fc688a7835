"""What Replace promises, on notes of the synthetic hospital and on arbitrary text, judged by searches of its own."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, timedelta
from functools import cache
from hashlib import sha256
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.hospital.hospital import Hospital
from sharewell.keys import Key
from sharewell.notes import Known, Replace
from sharewell.notes.engine.checks.known_value_search import Search
from sharewell.notes.engine.known_identifiers import PARTICLES
from sharewell.notes.engine.rewritten_text import NoteOwner, RewrittenNote

KEY = Key(b"an example key of enough bytes..")
ANY = Replace(language="any")
few = settings(max_examples=40, deadline=None)


@cache
def people() -> list[tuple[Known, list[str]]]:
    """What is known of each patient, and their notes."""
    hospital = Hospital(patients=40, seed=5)
    notes: dict[str, list[str]] = {}
    for block in (block.notes for block in hospital.blocks()):
        for note in block:
            notes.setdefault(note["patient_id"], []).append(note["body"])
    rows = {row["patient_id"]: row for row in hospital.frame("patients").to_pylist()}
    return [(_known(rows[person]), texts[:3]) for person, texts in sorted(notes.items())]


def _known(row: dict[str, str]) -> Known:
    birth = row["birth_date"] if re.fullmatch(r"\d{4}-\d\d-\d\d", row["birth_date"] or "") else ""
    return Known.of(
        names=[row["given"] or "", row["family"] or ""],
        dates=[birth],
        ids=[row["mrn"] or "", row["ssn"] or ""],
        places=[row["zip"] or ""],
        phones=[row["phone"] or ""],
        emails=[row["email"] or ""],
    )


def whose(known: Known | None, person: str = "p1", key: Key = KEY) -> NoteOwner:
    return NoteOwner(person, key.scoped("notes", person), known)


def words_of(text: str) -> list[str]:
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    return re.split(r"[\W_]+", bare)


def survivors(known: Known, text: str) -> list[str]:
    """A search that shares nothing with the other: sets of words, and strings with all signs between them removed."""
    found = []
    words, low = set(words_of(text)), "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    for kind, value in known.values:
        if kind == "NAME":
            found += [part for part in words_of(value) if len(part) > 2 and part not in PARTICLES and part in words]
        elif kind == "DATE":
            day = date.fromisoformat(value)
            forms = ("%m/%d/%Y", "%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%b %d, %Y", "%m/%d/%y", "%m-%d-%Y", "%d%b%Y")
            spelt = (day.strftime(form).lower() for form in forms)
            found += [one for one in spelt if re.search(rf"(?<![\w]){re.escape(one)}(?![\w])", low)]
        else:
            signs = re.sub(r"[\W_]", "", value.lower())
            found += [
                value
                for start in range(len(low))
                if low[start] == signs[:1] and not low[start - 1 : start].isalnum() and _reads(low, start, signs)
            ]
    return found


def _reads(text: str, start: int, signs: str) -> bool:
    """Do these signs stand here one after another, with at most two others between, and nothing glued to the end?"""
    at = start
    for number, sign in enumerate(signs):
        skipped = 0
        while number and at < len(text) and not text[at].isalnum() and skipped < 2:
            at, skipped = at + 1, skipped + 1
        if text[at : at + 1] != sign:
            return False
        at += 1
    return not text[at : at + 1].isalnum()


def check_map(text: str, made: RewrittenNote) -> None:
    """The map of offsets is exact: what is between changes is the original, and the pieces cover the whole."""
    assert made.text is not None
    at = published = 0
    for change in made.changes:
        assert at <= change.start <= change.end
        assert text[at : change.start] == made.text[published : change.published_start]
        at, published = change.end, change.published_end
    assert text[at:] == made.text[published:]


@few
@given(st.integers(0, 39), st.binary(min_size=16, max_size=16))
def test_no_known_identifier_survives_in_hospital_notes(number, secret) -> None:
    known, texts = people()[number % len(people())]
    made = ANY.rewrite(texts, whose(known, key=Key(sha256(secret).digest())))
    for text, one in zip(texts, made, strict=True):
        check_map(text, one)
        assert not survivors(known, str(one.text))


PIECES = st.sampled_from(
    ["Rosa", "DELGADO", "delgado,", "R.", "May", "5 March 1961", "03/05/1961", "Mar 5th", "mrn", "004", "12", "-",
     "00412", "ann@x.org", "ann", "02139", "Parkinson disease", "Lasix 40 mg", "92 y/o", "Dr.", "O'Neil", "José", "\n",
     " ", "of", "12 Elm St", "Boston, MA", "seen", "617", "253-1000", "3/5/61", "born 1921", "İ", "ß", "\x00", "_",
     "R.D.", "Del\u00adgado", "oneil", "ﬁ"]
)  # fmt: skip
KNOWN = Known.of(
    names=["Rosa May", "Delgado", "José O'Neil", "Parkinson"],
    dates=["1961-03-05", "2016-02-29"],
    ids=["MRN-00412", "ann"],
    places=["02139", "12 Elm St"],
    phones=["617 253 1000"],
    emails=["ann@x.org"],
)


@settings(max_examples=120, deadline=None)
@given(st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=24), st.sampled_from([" ", "", "  "]), st.data())
def test_no_known_identifier_survives_in_any_text(pieces, glue, data) -> None:
    text = glue.join(pieces)
    mechanism = Replace(
        language="any",
        names=data.draw(st.sampled_from(["surrogate", "tag", "suppress"])),
        dates=data.draw(st.sampled_from(["shift", "year", "tag", "suppress"])),
        places=data.draw(st.sampled_from(["surrogate", "keep"])),
        doses=data.draw(st.sampled_from(["keep", "suppress", "round"])),
        mark=data.draw(st.sampled_from(["kind", "line", "nothing"])),
        drugs=data.draw(st.sampled_from(["keep", "suppress", {"generalise": 2}])),
    )
    (made,) = mechanism.rewrite([text], whose(KNOWN))
    check_map(text, made)
    assert not survivors(KNOWN, str(made.text))
    assert not KNOWN.search(str(made.text))
    assert not Search.of(KNOWN.values).kinds(str(made.text))


@few
@given(st.integers(0, 39), st.randoms())
def test_the_order_of_the_notes_does_not_matter(number, random) -> None:
    known, texts = people()[number % len(people())]
    order = list(range(len(texts)))
    random.shuffle(order)
    made = ANY.rewrite(texts, whose(known))
    assert [made[at] for at in order] == ANY.rewrite([texts[at] for at in order], whose(known))


@few
@given(st.integers(0, 39))
def test_no_surrogate_is_a_word_or_number_of_the_person(number) -> None:
    known, texts = people()[number % len(people())]
    real = {word for text in texts for word in words_of(text)} | {
        w for _, value in known.values for w in words_of(value)
    }
    for text, one in zip(texts, ANY.rewrite(texts, whose(known)), strict=True):
        for change in one.changes:
            new = str(one.text)[change.published_start : change.published_end]
            if change.kind == "NAME" and not new.startswith("**"):
                was = set(words_of(text[change.start : change.end]))
                kept = was & (PARTICLES | {"md", "rn", "np", "pa", "do", "phd", "jr"})
                assert not {word for word in words_of(new) if len(word) > 2} & real - kept
            if change.kind in ("ID", "SSN", "PHONE") and sum(map(str.isdigit, new)) > 4:
                assert re.sub(r"[\W_]", "", new) not in {re.sub(r"[\W_]", "", one) for one in real}


def test_one_person_one_surrogate_and_two_persons_two() -> None:
    texts = ["Rosa Delgado was seen by Dr. Chen.", "Spoke with Rosa Delgado about her knee."]
    seen: set[str] = set()
    for number in range(300):
        first, second = (str(one.text) for one in ANY.rewrite(texts, whose(None, f"p{number}")))
        name = first.partition(" was seen")[0]
        assert f"Spoke with {name} about" in second
        seen.add(name)
    assert len(seen) > 290


def test_another_key_draws_other_surrogates() -> None:
    known, texts = people()[1]
    here, there = (ANY.rewrite(texts, whose(known, key=Key(sha256(bytes([n])).digest()))) for n in (1, 2))
    differ = [a.text != b.text for a, b in zip(here, there, strict=True) if a.changes]
    assert all(differ)


FORMS = ("%m/%d/%Y", "%Y-%m-%d", "%B %d, %Y", "%d %B %Y")


@few
@given(
    st.lists(st.tuples(st.dates(date(1990, 1, 1), date(2030, 1, 1)), st.sampled_from(FORMS)), min_size=2, max_size=5),
    st.binary(min_size=16, max_size=16),
)
def test_intervals_between_dates_stay(days, secret) -> None:
    texts = [f"He was seen on {day.strftime(form)}, and again later." for day, form in days]
    made = ANY.rewrite(texts, whose(None, key=Key(sha256(secret).digest())))
    moved = []
    for (_, form), one in zip(days, made, strict=True):
        said = re.fullmatch(r"He was seen on (.*), and again later\.", str(one.text))
        assert said
        moved.append(datetime.strptime(said[1], form).date())
    assert {later - day for (day, _), later in zip(days, moved, strict=True)} != {timedelta(0)}
    assert [b - a for a, b in pairwise(moved)] == [b - a for (a, _), (b, _) in pairwise(days)]
