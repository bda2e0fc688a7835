"""Names: one surrogate for a person however the name is written, another for everybody else."""

from __future__ import annotations

from hashlib import sha256

import pytest

from sharewell.keys import Key
from sharewell.notes import Known
from sharewell.notes.replacers.keyed_draws import Draws
from sharewell.notes.replacers.name_parts import NameParts, name_lists
from sharewell.notes.replacers.name_words import WrittenName, names_in_row
from sharewell.notes.replacers.names import NameSurrogates, letter_codes, name_surrogates

KEY = Key(b"an example key of enough bytes..")


def names_of(
    said: list[str], known: Known | None = None, real: frozenset[str] = frozenset(), key: Key = KEY
) -> NameSurrogates:
    return name_surrogates(Draws(key, real), NameParts.of(map(WrittenName.of, said), names_in_row(known)))


def test_every_spelling_of_a_name_has_the_same_surrogate() -> None:
    names = names_of(["Rosa Maria Delgado", "Delgado, Rosa M.", "Delgdao"])
    rosa, maria, delgado = (names.part(part) for part in ("rosa", "maria", "delgado"))
    assert len({rosa, maria, delgado, "Rosa", "Maria", "Delgado"}) == 6
    for written, expected in {
        "Rosa Maria Delgado": f"{rosa} {maria} {delgado}",
        "DELGADO, ROSA": f"{delgado.upper()}, {rosa.upper()}",
        "Delgado, Rosa M.": f"{delgado}, {rosa} {maria[0]}.",
        "R. M. Delgado": f"{rosa[0]}. {maria[0]}. {delgado}",
        "R.M.D.": f"{rosa[0]}.{maria[0]}.{delgado[0]}.",
        "RMD": (rosa[0] + maria[0] + delgado[0]).upper(),
        "rosa delgado": f"{rosa} {delgado}".lower(),
        "Delgado's": f"{delgado}'s",
        "Delgdao": delgado,
        "Rosa D.": f"{rosa} {delgado[0]}.",
        "Rosa Delgado, MD": f"{rosa} {delgado}, MD",
        "Dr. Delgado Jr": f"Dr. {delgado} Jr",
        "Délgado": delgado,
        "Rosa-Maria": f"{rosa}-{maria}",
    }.items():
        assert names.replace(written) == expected


@pytest.mark.parametrize(
    ("written", "before", "listed"),
    [
        ("Rosa Delgado", "", "women"),
        ("Jeremy Delgado", "", "men"),
        ("Xqwert Delgado", "Mrs. ", "women"),
        ("Xqwert Delgado", "seen by Mr ", "men"),
        ("Xqwert Delgado", "her daughter, ", "women"),
    ],
)
def test_the_gender_of_a_given_name_stays(written, before, listed) -> None:
    for number in range(40):
        said = WrittenName.of(written, before)
        made = name_surrogates(Draws(Key(sha256(bytes([number])).digest())), NameParts.of([said])).replace(
            written, before
        )
        assert made.split()[0] in getattr(name_lists(), listed)
        assert made.split()[1] in name_lists().surnames


def test_a_word_that_is_a_name_of_its_own_is_not_taken_for_a_slip() -> None:
    names = names_of(["Anna Anderson", "Anna Anderson", "Peter Andersen"])
    assert names.part("anderson") != names.part("andersen")
    own = names_of(["Peter Andersen"], Known.of(names=["Anna", "Anderson"]))
    assert own.part("anderson") == own.part("andersen")


def test_an_initial_belongs_to_the_name_it_stands_beside() -> None:
    names = names_of(["Rosa Delgado", "Robert Chen"])
    assert names.replace("R. Chen")[0] == names.part("robert")[0]
    assert names.replace("R. Delgado")[0] == names.part("rosa")[0]
    assert names.replace("R. Chen") == names.replace("R. Chen")


def test_nobody_gets_a_word_of_their_own_notes() -> None:
    every = frozenset(name.lower() for name in name_lists().surnames) - {"smith"}
    made = {names_of(["Delgado", "Chen", "Okafor"], real=every).part(part) for part in ("delgado", "chen", "okafor")}
    assert len(made) == 3
    assert not {name.lower() for name in made} & every


def test_people_who_share_a_name_draw_separately() -> None:
    made = {names_of(["Rosa Delgado"], key=KEY.scoped("notes", str(n))).replace("Rosa Delgado") for n in range(200)}
    assert len(made) > 195


def test_draws_are_as_frequent_as_names_are() -> None:
    made = [names_of(["Delgado"], key=KEY.scoped("notes", str(n))).part("delgado") for n in range(2000)]
    weights = name_lists().surnames
    expected = 2000 * weights["Smith"] / sum(weights.values())
    assert abs(made.count("Smith") - expected) < 5 * expected**0.5


def test_codes_link_the_parts_of_a_name() -> None:
    name_parts = NameParts.of(map(WrittenName.of, ["Rosa Delgado", "Delgado, Rosa M.", "Chen"]))
    names = letter_codes(Draws(KEY), name_parts)
    a, b = names.part("delgado"), names.part("rosa")
    assert {a, b, names.part("chen")} == {"AAA", "BBB", "CCC"}
    assert names.replace("DELGADO, rosa") == f"{a}, {b}"
    assert names.replace("R. Delgado") == f"{b[0]}. {a}"


def test_codes_do_not_tell_the_order_of_occurrence() -> None:
    said = sorted(name_lists().surnames)[::50]
    name_parts = NameParts.of(map(WrittenName.of, said))
    made = [letter_codes(Draws(KEY.scoped("notes", str(n))), name_parts) for n in range(5)]
    orders = {tuple(names.part(one.lower()) for one in said) for names in made}
    assert len(orders) == 5
    assert all(list(order) != sorted(order) for order in orders)


@pytest.mark.parametrize(
    ("written", "before", "given"),
    [("Benjamin", "her brother ", True), ("Benjamin", "Dr. ", False), ("Delgado", "", False), ("Xqwert", "", False)],
)
def test_a_name_alone_is_given_or_a_surname_by_lists_and_titles(written, before, given) -> None:
    assert (written.lower() in NameParts.of([WrittenName.of(written, before)]).given) is given


@pytest.mark.parametrize(
    ("written", "parts", "initials"),
    [
        ("Linh Do", ["linh", "do"], []),
        ("van der Berg", ["berg"], []),
        ("Al", ["al"], []),
        ("O'Neil", ["oneil"], []),
        ("Núñez", ["nunez"], []),
        ("J", [], ["j"]),
        ("", [], []),
        ("...", [], []),
        ("Prof. Chen, PhD", ["chen"], []),
    ],
)
def test_the_words_of_a_name(written, parts, initials) -> None:
    said = WrittenName.of(written)
    assert [word.plain for word in said.parts] == parts
    assert [word.plain for word in said.initials] == initials
