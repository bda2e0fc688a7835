"""A list of words with marks, looked up where it lies: it says what a dict of the same lines says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.notes.engine import sorted_marks
from sharewell.notes.engine.sorted_marks import SortedMarks

WORDS = st.text("ab é", min_size=1, max_size=5).map(lambda word: " ".join(word.split())).filter(bool)
LISTS = st.dictionaries(WORDS, st.sampled_from("*uw"), max_size=30)


def packed(marks: dict[str, str]) -> bytes:
    return "".join(f"{marks[word]}{word}\n" for word in sorted(marks)).encode()


def always(word: str, mark: str) -> str:
    return mark or "u"


@given(LISTS, st.lists(WORDS, max_size=5), st.lists(WORDS, max_size=20))
def test_what_is_looked_up_is_what_a_dict_has(listed: dict[str, str], more: list[str], asked: list[str]) -> None:
    marks, loaded = SortedMarks(packed(listed), more, always), SortedMarks(packed(listed), more, always)
    expected = listed | {word: listed.get(word, "u") for word in more}
    assert loaded.all() == expected
    for word in (*asked, *expected, ""):
        assert marks.get(word) == expected.get(word)
        assert (word in marks) == (word in expected)
        first = word.partition(" ")[0]
        beginning = [len(name.split()) for name in expected if name.split()[0] == first]
        assert marks.most_words(first) == loaded.most_words(first) == max(beginning, default=0)
        assert loaded.get(word) == marks.get(word)
    for mark in "*uw":
        assert sorted(marks.marked(mark)) == sorted(word for word, its in expected.items() if its == mark)
    assert dict(marks) == expected
    assert all(marks.get(word, "-") == expected.get(word, "-") for word in asked)


def test_who_asks_for_many_words_gets_a_dict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorted_marks, "_MANY", 3)
    marks = SortedMarks(b"ua\nwb\n*c\n")
    assert [marks.get(word) for word in "abcdea"] == ["u", "w", "*", None, None, "u"]
    assert marks._all is not None
    assert marks["c"] == "*"


def test_a_word_may_take_its_mark_away() -> None:
    marks = SortedMarks(b"ua\nub\n", ["a"], lambda word, mark: "")
    assert marks.get("a") is None
    assert list(marks.marked("u")) == ["b"]
    assert dict(marks) == {"b": "u"}
