"""Plain texts, in which known values are looked for."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from sharewell.notes.engine.checks.plain_text import plain

SIGNS = st.sampled_from(
    ["e", "É", "e\u0301", "\u0323\u0301", "…", "[", "ß", "Ł", "\u00ad", "٣", "ﬁ", "\u200b", "한", " "]
)


@given(st.lists(SIGNS | st.characters(), max_size=12).map("".join))
def test_a_text_is_made_plain_run_by_run_as_it_would_be_as_a_whole(text: str) -> None:
    """An ASCII sign before the text makes no run longer, and one after it neither."""
    whole = unicodedata.normalize("NFKD", text)
    assert plain(text) == plain(whole)
    assert plain(f"a{text}b") == f"a{plain(text)}b"
    assert plain(text) == "".join(map(plain, whole)), "sign by sign, once taken apart"
