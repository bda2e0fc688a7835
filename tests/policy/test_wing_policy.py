"""A kind of data from another package brings its own keys, words and sections; no file of the product knows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from policy_texts import VALID
from toy_wing import ENTRY_POINTS, KIND, PictureKeys, shown

from sharewell import registry
from sharewell.dossier import render
from sharewell.dossier.words import concern
from sharewell.errors import DataError, PolicyError
from sharewell.policy import Policy
from sharewell.policy.redact import redacted
from sharewell.policy.schema import dataset_schema
from sharewell.policy.wing_policy import WingPolicy, dataset_record, policy_of

PICTURES = """\
sharewell: 1
release: {name: scans-2026}
datasets:
  scans:
    kind: pictures
    read: {csv: patients.csv}
    resolution: 300
    require: [faces-gone]
    using: blur
"""


@pytest.fixture
def pictures(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package that is installed as any other: metadata with entry points, found on the path."""
    place: Path = tmp_path_factory.mktemp("installed")
    (place / "toy_wing-1.dist-info").mkdir()
    (place / "toy_wing-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-wing\nVersion: 1\n")
    (place / "toy_wing-1.dist-info" / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(place)
    read_anew()
    yield
    monkeypatch.undo()
    read_anew()


def read_anew() -> None:
    registry._all.cache_clear()
    registry.owned.cache_clear()


@pytest.mark.usefixtures("pictures")
def test_its_own_key_is_read(loaded: Callable[[str], Policy]) -> None:
    policy = loaded(PICTURES)
    assert policy.datasets["scans"].own == PictureKeys(300)
    assert policy.decisions == ("datasets.scans: faces are looked for at every angle",)
    assert redacted(policy)["datasets"]["scans"]["unit"] == "picture"


@pytest.mark.usefixtures("pictures")
def test_mistakes_in_it_have_their_place(loaded: Callable[[str], Policy]) -> None:
    for written, what in (("0", "resolution must be 1 or more"), ("fine", "resolution must be a whole number")):
        with pytest.raises(PolicyError) as caught:
            loaded(PICTURES.replace("resolution: 300", f"resolution: {written}"))
        (mistake,) = caught.value.mistakes
        assert (mistake.line, mistake.where, mistake.what) == (7, "datasets.scans.resolution", what)


@pytest.mark.usefixtures("pictures")
def test_its_key_has_no_place_in_other_data(loaded: Callable[[str], Policy]) -> None:
    with pytest.raises(PolicyError) as caught:
        loaded(VALID.replace("    kind: tables\n", "    kind: tables\n    resolution: 300\n", 1))
    (mistake,) = caught.value.mistakes
    assert (mistake.where, mistake.what) == (
        "datasets.patients.resolution",
        "resolution is for datasets of kind pictures",
    )


@pytest.mark.usefixtures("pictures")
def test_keys_of_others_have_no_place_in_it(loaded: Callable[[str], Policy]) -> None:
    with pytest.raises(PolicyError) as caught:
        loaded(PICTURES + "    measure: cost\n    map: true\n")
    assert {mistake.what for mistake in caught.value.mistakes} >= {
        "measure is for datasets of kind reports",
        "a picture has no pseudonym",
    }


@pytest.mark.usefixtures("pictures")
def test_it_is_held_against_the_data(checked: Callable[[str], Policy]) -> None:
    with pytest.raises(DataError, match=r"policy\.yaml:7:5.*the pictures are coarser"):
        checked(PICTURES)


@pytest.mark.usefixtures("pictures")
def test_editors_are_offered_its_key() -> None:
    properties = dataset_schema()["properties"]
    assert properties["resolution"] == {
        "type": "integer",
        "minimum": 1,
        "description": "Of pictures: points to the inch.",
    }
    assert KIND in properties["kind"]["enum"]
    assert list(properties)[-1] == "resolution"


@pytest.mark.usefixtures("pictures")
def test_a_key_that_another_kind_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = registry.owned("policy")["codes"].keys
    monkeypatch.setattr(registry.owned("policy")[KIND], "keys", type("Taken", (taken,), {}))
    with pytest.raises(PolicyError, match="another kind has the key"):
        dataset_record()


@pytest.mark.usefixtures("pictures")
def test_the_dossier_tells_of_it_in_its_words() -> None:
    found = [{"name": "faces-gone", "value": 0, "bound": 0, "sense": "≤", "ok": True}]
    page = render(shown(found), {})
    assert "Faces that are left" in page
    assert "No picture is shown here." in page
    assert concern("faces-gone") == "Inference"


def test_without_the_package_nobody_knows_it(loaded: Callable[[str], Policy]) -> None:
    with pytest.raises(PolicyError, match="there is no kind of data called 'pictures'"):
        loaded(PICTURES)
    assert type(policy_of(KIND)) is WingPolicy
    assert concern("faces-gone") == "Other measurements"
