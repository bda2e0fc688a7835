"""The one place from which pseudonyms of all rows and date shifts come."""

from sharewell.keys import Key
from sharewell.person_names import key_of_names, shift_of

KEY = Key(b"an example key of enough bytes..")


def test_a_person_has_one_name_in_a_dataset_and_others_elsewhere() -> None:
    names = {key_of_names(KEY, dataset).pseudonym("p") for dataset in ("visits", "stays")}
    assert len(names) == 2
    assert key_of_names(KEY, "visits").pseudonym("p") in names


def test_pieces_and_persons_never_share_a_name() -> None:
    names = [key_of_names(KEY, "visits", piece).pseudonym(person) for person in ("p", "p1", "1") for piece in range(3)]
    assert len(set(names)) == len(names)


def test_the_shift_is_that_of_the_key() -> None:
    assert shift_of(KEY, "visits", "p", 30) == KEY.shift_days("visits", "p", 30)
