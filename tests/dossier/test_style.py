"""The small style sheet can stand in a page as it is, and is readable in both schemes."""

from __future__ import annotations

import pytest
from test_dossier_figures import colours, contrast

from sharewell.dossier.style import RECIPIENT_CSS


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(scheme: str) -> None:
    light, _, rest = RECIPIENT_CSS.partition("@media screen and (prefers-color-scheme: dark)")
    known = colours(light if scheme == "light" else rest.partition("body {")[0])
    assert all(contrast(known[text], known["ground"]) >= 4.5 for text in ("ink", "soft", "link"))
    assert contrast(known["ink"], known["box"]) >= 4.5


def test_it_cannot_end_itself_and_fetches_nothing() -> None:
    assert not {"<", "&"} & set(RECIPIENT_CSS)
    assert "url(" not in RECIPIENT_CSS
    assert "@import" not in RECIPIENT_CSS
