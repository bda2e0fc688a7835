"""Stages and grades stay as they are; postcodes, initials and surnames of scales do not."""

import pytest

from sharewell.notes.detectors import Detectors
from sharewell.notes.engine.spans import Span
from sharewell.notes.matcher.matching import RuleDetector

LEFT = """
Adenocarcinoma, stage {T3N1M0}.
Staged {pT2a N0 M0} after resection.
Liver disease, {Child-Pugh B}, {Hinchey III} in 2019.
Kidney cyst {Bosniak II}, liver lesion {LI-RADS 5}.
{WHO class B}, {Forrest IIa} ulcer, {Fontaine B}, {NYHA class III}, {grade 3}
""".strip().splitlines()


def grades(text: str) -> list[Span]:
    spans = RuleDetector.shipped("measures").find(text)
    return sorted([span for span in spans if span.reason.startswith("stage-")], key=lambda span: span.start)


@pytest.mark.parametrize("line", LEFT)
def test_they_are_safe(line: str) -> None:
    text = line.replace("{", "").replace("}", "")
    wanted = [part.split("}")[0] for part in line.split("{")[1:]]
    assert [text[span.start : span.end] for span in grades(text)] == wanted
    found = [span for span in Detectors.usual().find(text) if span.kind not in ("DRUG", "DOSE")]
    assert not [text[span.start : span.end] for span in found if any(text[span.start : span.end] in w for w in wanted)]


@pytest.mark.parametrize("text", ["Lives in T3N 1M0, Calgary.", "Seen by Clark, who called.", "Mr Forrest is well."])
def test_others_are_not(text: str) -> None:
    assert not list(grades(text))
    assert Detectors.usual().find(text)
