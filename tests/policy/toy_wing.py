"""A kind of data that the product does not know: pictures, with one key of their own and words for the dossier."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from sharewell.dossier.markup import Html, element
from sharewell.dossier.views import Dataset as Shown
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import INFERENCE
from sharewell.findings import Finding, Sense
from sharewell.io.yaml_positions import Path as Place
from sharewell.keys import Key
from sharewell.policy.model import ConfiguredCriterion, Dataset, Disagreement, OwnKeys
from sharewell.policy.wing_policy import Draft, Schema, WingPolicy
from sharewell.protocols import Criterion, Mechanism, Protected
from sharewell.wing import Records

KIND = "pictures"
ENTRY_POINTS = f"""\
[sharewell]
{KIND}.wing.{KIND} = toy_wing:PicturesWing
{KIND}.policy.{KIND} = toy_wing:PicturesPolicy
{KIND}.dossier.{KIND} = toy_wing:PicturesDossier
{KIND}.criteria.faces-gone = toy_wing:FacesGone
{KIND}.mechanisms.blur = toy_wing:Blur
"""


class PicturesWing:
    """Only its name is asked for here."""


@dataclass(frozen=True, kw_only=True)
class PicturesSpec:
    """The keys as they are written."""

    resolution: Annotated[int | None, "Of pictures: points to the inch."] = None


@dataclass(frozen=True)
class PictureKeys(OwnKeys):
    """How fine the pictures are."""

    resolution: int = 72

    @property
    def unit(self) -> str:
        return "picture"

    def against_data(self, dataset: Dataset, readable: bool, path: Place) -> Iterable[Disagreement]:
        if readable:
            yield (*path, "resolution"), "the pictures are coarser", "lower it", True


class PicturesPolicy(WingPolicy):
    """Pictures of patients."""

    kind = KIND
    keys = PicturesSpec

    def schema(self) -> dict[str, Schema]:
        return {"resolution": {"type": "integer", "minimum": 1}}

    def without_columns(self, draft: Draft) -> bool:
        return draft.kind == self.kind

    def read(self, draft: Draft) -> PictureKeys:
        return PictureKeys(**{key: value for key, value in draft.fields.items() if key == "resolution"})

    def check(self, draft: Draft, own: OwnKeys) -> None:
        if isinstance(own, PictureKeys) and own.resolution < 1:
            draft.mistake(("resolution",), "resolution must be 1 or more")
        draft.refuse_pseudonyms("a picture has no pseudonym")

    def criteria(
        self, draft: Draft, own: OwnKeys, written: Sequence[ConfiguredCriterion]
    ) -> tuple[ConfiguredCriterion, ...]:
        draft.decide("faces are looked for at every angle")
        return tuple(written)


@dataclass(frozen=True)
class FacesGone(Criterion[Records]):
    """No face is left."""

    name: ClassVar[str] = "faces-gone"
    sense: ClassVar[Sense] = "≤"
    bound: ClassVar[int] = 0

    def check(self, data: Records) -> Finding:
        """Judges nothing: only policies are loaded with it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Blur(Mechanism[Records]):
    """Blurs faces."""

    name: ClassVar[str] = "blur"
    engine: ClassVar[str] = "check"

    def protect(self, data: Records, must: Sequence[Any], key: Key | None = None) -> Protected[Records]:
        """Protects nothing: only policies are loaded with it."""
        raise NotImplementedError


class PicturesDossier(WingDossier):
    """What the page tells of pictures."""

    kind = KIND
    title = "pictures of patients"
    words = Vocabulary(titles={"faces-gone": "Faces that are left"}, concerns={INFERENCE: ("faces",)})

    def section(self, dataset: Shown) -> Html | None:
        return element("p", "No picture is shown here.") if dataset.kind == self.kind else None


def shown(findings: Any) -> dict[str, Any]:
    """The least that a certificate says of such a dataset."""
    return {"datasets": {"scans": {"kind": KIND, "findings": findings}}}
