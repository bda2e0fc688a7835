"""What is not installed is said with the extra that brings it, and what cannot be installed is not advised."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from sharewell.errors import MissingExtra
from sharewell.extras import _EXTRAS, package

EXTRAS: dict[str, list[str]] = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))[
    "project"
]["optional-dependencies"]


@pytest.mark.parametrize("name", _EXTRAS)
def test_the_extra_that_is_advised_brings_the_package(name: str) -> None:
    wanted, extras = _EXTRAS[name]
    for extra in extras.split(","):
        brought = " ".join(EXTRAS[extra]).replace("opendp[mbi,polars]", "opendp mbi polars")
        assert wanted.partition("[")[0] in brought.replace("opendp[polars]", "opendp polars"), extra


def test_all_brings_every_extra_but_those_of_developers() -> None:
    (every,) = EXTRAS["all"]
    assert set(every.removeprefix("sharewell[").removesuffix("]").split(",")) == EXTRAS.keys() - {"all", "docs", "test"}


@pytest.mark.parametrize(("system", "said"), [("linux", "sharewell[genomes]"), ("win32", "not made for Windows")])
def test_a_package_that_a_system_lacks_is_not_advised(monkeypatch: pytest.MonkeyPatch, system: str, said: str) -> None:
    monkeypatch.setitem(sys.modules, "cyvcf2", None)
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(MissingExtra) as told:
        package("cyvcf2", "VCF")
    assert said in str(told.value)
