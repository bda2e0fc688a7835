"""Replace: a person's notes rewritten together, and what each parameter does."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace

import pytest

from sharewell.hierarchy import Tree
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.notes import Known, NoKnownIdentifiers, Notes, Replace, SafeHarborText
from sharewell.notes.engine.known_identifiers import MONTHS
from sharewell.notes.engine.rewritten_text import Edit, NoteOwner, RewrittenNote
from sharewell.notes.replacers.survivors import tag_survivors

KEY = Key(b"an example key of enough bytes..")
KNOWN = Known.of(names=["Rosa", "Delgado"], dates=["1931-03-05"], ids=["0041299"], places=["02139"])
FIRST = (
    "Patient: Rosa Delgado  MRN: 0041299  DOB: 03/05/1931\n"
    "Ms. Delgado is a 92 year old woman of 12 Elm Street, Cambridge, MA 02139, seen 06/10/2023 by Dr. Alan Chen.\n"
    "Started on Lasix 37.5 mg daily. Call 617-253-1000 or rosa.delgado@gmail.com. Parkinson disease is stable."
)
SECOND = "DELGADO, ROSA: phone call on 6/13/2023. R. Delgado feels well. Will see Dr. Chen next week. SSN 078-05-1120."


def whose(person: str = "p1", known: Known | None = KNOWN, key: Key = KEY, shift: int | None = None) -> NoteOwner:
    return NoteOwner(person, key.scoped("notes", person), known, shift)


def published(*texts: str, who: NoteOwner | None = None, **parameters) -> list[str]:
    made = Replace(**parameters).rewrite(texts, who or whose())
    assert all(one.text is not None for one in made)
    return [str(one.text) for one in made]


def test_surrogates_agree_in_all_notes() -> None:
    first, second = published(FIRST, SECOND)
    name = re.search(r"Patient: (\w+) (\w+)  MRN: (\d{7})  DOB: before 1934\n", first)
    assert name
    given, family = name[1], name[2]
    assert first.count(family) == 2
    assert second.startswith(f"{family.upper()}, {given.upper()}: phone call on ")
    assert f"{given[0]}. {family} feels well" in second
    chen = re.search(r"Dr\. (\w+) (\w+)\.", first)
    assert chen
    assert f"Dr. {chen[2]} next week" in second
    assert f"{given.lower()}.{family.lower()}@" in first
    assert "Ms. " in first
    assert "90+ year old" in first
    assert "Lasix 37.5 mg daily" in first
    assert "Parkinson disease is stable." in first
    for real in ("Rosa", "Delgado", "0041299", "Chen", "Elm", "Cambridge", "617", "gmail", "078", "1120", "02139"):
        assert real.lower() not in (first + second).lower()


def test_within_each_scope_a_person_has_other_surrogates() -> None:
    """Another shift too, and in a scope without a name those of all notes."""
    third = SECOND.replace("next week", "this week")
    together = published(FIRST, SECOND, third)
    one, two, again = published(FIRST, SECOND, third, who=replace(whose(), scopes=("", "a", "a")))
    assert one == together[0]
    assert again == two.replace("next week", "this week")
    names = [re.match(r"(\w+), (\w+):", text) for text in (together[1], two)]
    assert names[0]
    assert names[1]
    assert {names[0][1], names[0][2]}.isdisjoint({names[1][1], names[1][2]})
    assert called_on(two) != called_on(together[1])


def called_on(text: str) -> str:
    date = re.search(r"phone call on (\S+)\.", text)
    assert date
    return date[1]


def test_dates_that_move_with_a_column_move_alike_in_all_scopes() -> None:
    (text,) = published(SECOND, who=whose(shift=10))
    (within,) = published(SECOND, who=replace(whose(shift=10), scopes=("a",)))
    assert within != text
    assert called_on(within) == called_on(text)


def test_notes_whose_scope_is_not_known_stand_alone() -> None:
    numbers = [re.findall(r"SSN (\S+)\.", text) for text in published(SECOND, SECOND + " Well.", who=unscoped())]
    assert numbers[0] != numbers[1]


def unscoped() -> NoteOwner:
    """Of three notes, one could not be rewritten."""
    return replace(whose(), scopes=("a", "a", "b"))


def test_dates_keep_their_intervals() -> None:
    texts = published(
        "He was admitted 02/27/2016 and went home on March 1, 2016.", "Seen 2016-03-05.", who=whose(shift=10)
    )
    assert texts == ["He was admitted 03/08/2016 and went home on March 11, 2016.", "Seen 2016-03-15."]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"names": "suppress"}, "Dr. [NAME] saw"),
        ({"names": "suppress", "mark": "line"}, "Dr. ___ saw"),
        ({"names": "suppress", "mark": "nothing"}, "Dr. saw"),
        ({"names": "tag"}, "Dr. **NAME["),
        ({"dates": "year"}, "on 2016."),
        ({"dates": "suppress"}, "on [DATE]."),
        ({"dates": "suppress", "mark": "nothing"}, "him on."),
        ({"dates": "tag"}, "on **DATE[03/15/2016]."),
        ({"ages": "tag"}, "Age **AGE[over 89]."),
        ({"ages": "keep"}, "Age 93."),
        ({"drugs": {"generalise": 1}}, "loop diuretic 37.5 mg"),
        ({"drugs": {"generalise": "full"}}, "medication 37.5 mg"),
        ({"drugs": "suppress"}, "[DRUG] 37.5 mg"),
        ({"doses": "suppress"}, "Lasix [DOSE]."),
        ({"doses": "suppress", "mark": "nothing"}, "Lasix."),
        ({"doses": "round"}, "Lasix 40 mg"),
        ({"ids": "tag"}, "MRN **ID-NUM."),
        ({"contacts": "tag"}, "Call **PHONE."),
        ({"places": "tag"}, "from **PLACE."),
        ({"places": "keep"}, "from Boston."),
    ],
)
def test_each_parameter(parameters, expected) -> None:
    text = (
        "Dr. Okonkwo saw him on 03/05/2016. Age 93. Gave Lasix 37.5 mg. MRN 5512345. Call 617-253-1000. "
        "He moved here from Boston."
    )
    assert expected in published(text, who=whose(known=None, shift=10), **parameters)[0]


def test_tags_link_the_spellings_of_a_name() -> None:
    first, second = published("Rosa Delgado was seen.", "DELGADO, ROSA was called. R. Delgado is well.", names="tag")
    code = re.fullmatch(r"\*\*NAME\[([A-Z]+) ([A-Z]+)\] was seen\.", first)
    assert code
    assert second.startswith(f"**NAME[{code[2]}, {code[1]}] was called. ")
    assert f"**NAME[{code[1][0]}. {code[2]}] is well." in second


def test_weekdays_stay_if_asked() -> None:
    for person in "abcdefgh":
        text = "Seen Monday, March 7, 2016."
        made = published(text, who=whose(person, None), weekdays=True)[0]
        assert made.startswith("Seen Monday, ")
        assert made != text


def test_three_digits_of_the_zip_code() -> None:
    for contacts in ("surrogate", "tag", "suppress"):
        text = "Lives at 12 Elm Street, Cambridge, MA 02139."
        assert " 021." in published(text, who=whose(known=None), zips="zip3", contacts=contacts)[0]


def test_a_persons_own_word_wins_over_a_safe_phrase() -> None:
    known = Known.of(names=["Ann Parkinson"])
    (made,) = published("Parkinson disease is stable.", who=whose(known=known))
    assert "parkinson" not in made.lower()


def test_a_known_slip_is_the_same_name() -> None:
    known = Known.of(names=["Ann", "Christensen"])
    first, second = published("Christensen was seen.", "Spoke to christnsen today.", who=whose(known=known))
    assert first.split()[0].lower() in second


def test_what_survives_becomes_a_tag() -> None:
    known = Known.of(names=["Ortiz"])
    made = tag_survivors(
        "Seen by Chen and Wu.", [Edit(8, 12, "NAME", "Ines Ortiz B"), Edit(17, 19, "NAME", "Ortiz")], known
    )
    assert made.text == "Seen by Ines **NAME B and **NAME."
    assert [change[:2] for change in made.changes] == [(8, 12), (17, 19)]


def test_a_survivor_across_two_edits_and_what_lies_between() -> None:
    known = Known.of(ids=["12345"])
    made = tag_survivors("a bb-cc d", [Edit(2, 4, "ID", "x 12"), Edit(5, 7, "ID", "345")], known)
    assert made.text == "a x **ID-NUM d"
    assert made.changes == ((2, 7, "ID", 2, 12),)


def test_a_person_called_like_a_tag() -> None:
    known = Known.of(names=["Name Date"])
    made = tag_survivors("Mr. Name on the Date.", [], known)
    assert made.text == "Mr. **___ on the **___."


def test_nothing_is_published_of_a_note_that_cannot_be_cleared(monkeypatch) -> None:
    known = Known.of(names=["Ortiz"])
    monkeypatch.setattr(Known, "search", lambda self, text: [(0, 1, "NAME")])
    assert tag_survivors("Seen by Ortiz.", [], known) == RewrittenNote.withhold("known identifier")


def test_odd_notes() -> None:
    texts = [
        "",
        " ",
        "\r\n\x00\x07",
        "x" * 3000,
        "Dr. " * 400,
        "{\\rtf1\\ansi Seen by Dr. Chen\\par}",
        "03/05/2016" * 50,
    ]
    made = Replace(language="any").rewrite(texts, whose())
    assert [one.text for one in made[:3]] == texts[:3]
    assert len(str(made[3].text)) == 3000
    assert "Chen" not in str(made[5].text)
    assert Replace().rewrite([], whose()) == []


def test_notes_that_are_not_english_are_withheld() -> None:
    text = "Der Patient wurde am Montag mit starken Schmerzen in der Brust aufgenommen und nach drei Tagen entlassen."
    assert Replace().rewrite([text], whose()) == [RewrittenNote.withhold("language")]
    assert Replace(language="any").rewrite([text], whose())[0].text


@pytest.mark.parametrize(
    "parameters",
    [
        {"names": "keep"},
        {"contacts": "keep"},
        {"ids": "keep"},
        {"dates": "keep"},
        {"drugs": {"generalise": 0}},
        {"drugs": {"generalise": True}},
        {"drugs": {"level": 2}},
        {"drugs": "hide"},
        {"doses": "hide"},
        {"days": 0},
        {"days": 6, "weekdays": True},
        {"language": "klingon"},
        {"language": ["german", "klingon"]},
        {"language": []},
        {"mark": "star"},
        {"detectors": ["date"]},
        {"year": 26},
    ],
)
def test_bad_parameters(parameters) -> None:
    with pytest.raises(ValueError, match=next(iter(parameters))):
        Replace(**parameters)


def test_detectors_by_name_and_a_model_that_is_none(tmp_path) -> None:
    from sharewell.errors import DataError

    text = "Dr. Okonkwo called on 03/05/2016."
    assert published(text, who=whose(known=None, shift=10), detectors=["dates"]) == [
        "Dr. Okonkwo called on 03/15/2016."
    ]
    broken = tmp_path / "model.crf"
    broken.write_bytes(b"no model")
    with pytest.raises(DataError):
        Replace(model=f"file:{broken}").rewrite([text], whose())


def test_drugs_by_a_tree_of_the_house(tmp_path) -> None:
    tree = Tree([["phenylephrine", "decongestant", "vasopressor", "medication"]], name="the paper's")
    (tmp_path / "drugs.csv").write_text("phenylephrine;decongestant;vasopressor;medication\n")
    for given in (tree, Source.of(tmp_path / "drugs.csv")):
        (made,) = published("Given phenylephrine.", who=whose(known=None), drugs={"generalise": 2}, tree=given)
        assert made == "Given vasopressor."


def test_safe_harbor_holds_with_tags_and_years() -> None:
    data = Notes.of([FIRST, SECOND], ["p1", "p1"], {"p1": KNOWN})
    tags = dict.fromkeys(("names", "places", "organisations", "contacts", "ids"), "tag")
    rules = [SafeHarborText(year=2026), NoKnownIdentifiers()]
    made = Replace(**tags, dates="year", zips="zip3").protect(data, rules, KEY)
    assert "DOB: before 1937" in "".join(made.data.texts)


def test_protect_counts_and_is_picklable() -> None:
    data = Notes.of([FIRST, SECOND], ["p1", "p1"], {"p1": KNOWN})
    mechanism = pickle.loads(pickle.dumps(Replace(drugs={"generalise": 1})))
    first, again = mechanism.protect(data, [], KEY), mechanism.protect(data, [], KEY)
    assert list(first.data.texts) == list(again.data.texts)
    assert first.reproducible
    assert not mechanism.protect(data, []).reproducible
    assert first.data.published
    assert first.details.changed["NAME"] >= 5
    assert first.details.changed["DRUG"] == 1


def test_a_month_may_be_somebodys_name() -> None:
    known = Known.of(names=["May"])
    made = published("May was seen on May 5, 2016.", who=whose(known=known, shift=3))[0]
    assert not re.search(r"\bmay\b", made.lower())
    assert MONTHS[4] == "may"
