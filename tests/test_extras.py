"""What is not installed is said with the extra that brings it, and what cannot be installed is not advised."""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from sharewell import extras
from sharewell.errors import MissingExtra
from sharewell.extras import _EXTRAS, package

EXTRAS: dict[str, list[str]] = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))[
    "project"
]["optional-dependencies"]


@pytest.mark.parametrize("name", _EXTRAS)
def test_the_extra_that_is_advised_brings_the_package(name: str) -> None:
    wanted, bringing = _EXTRAS[name]
    for extra in bringing.split(","):
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


@dataclass(frozen=True)
class _Needs:
    packages: tuple[str, ...]


def test_one_extra_is_advised_where_one_brings_all_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """opendp alone comes with the extra for DNA first; whoever needs a server too is not sent to two extras."""
    monkeypatch.setattr(extras, "is_installed", lambda name: False)
    for packages, advised in (
        (("opendp",), {"genomes"}),
        (("starlette", "opendp"), {"queries"}),
        (("Bio", "starlette"), {"genomes", "queries"}),
    ):
        with pytest.raises(MissingExtra) as told:
            extras.refuse_missing([("it", _Needs(packages))])
        assert set(re.findall(r"sharewell\[(\w+)\]", str(told.value))) == advised
