"""Cells that hold more than one plain value: several codes in a cell, a sequence of bases, the copies of an allele.

>>> import pyarrow as pa
>>> from sharewell.proposal.profile import measure
>>> form_of(measure("dx", pa.array(["E11.9|I10", "J45.909|I10|C50.911", "I10"] * 8)))
CellForm(codes=True, hierarchy='icd10cm', separator='|', what='')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from sharewell.proposal.content import icd, like_icd10
from sharewell.proposal.names import by_name, ends_as_key, is_person_key, is_person_number
from sharewell.proposal.profile import Facts

_SEPARATORS = ("|", ";", ",", "/", "+", "~", "^", " ")
_LEAST_SEVERAL = 0.1
"""This many of the different cells must hold several codes."""
_BY_PREFIX = "prefix"
"""National editions of ICD-10 have codes that the American one lacks; what they begin with still puts them together."""
_LEAST_BASES = 20
_BASES = rf"^[ACGTUNacgtun-]{{{_LEAST_BASES},}}$"


@dataclass(frozen=True)
class CellForm:
    """What the cells of a column hold."""

    codes: bool = False
    """Codes of a classification, one or several in a cell."""
    hierarchy: str | None = None
    separator: str | None = None
    """What stands between several codes of a cell."""
    what: Literal["", "bases", "alleles"] = ""


def form_of(facts: Facts) -> CellForm:
    """What the cells are, by the sample of a column."""
    sample = facts.sample
    if facts.kind == "number":
        few = set(sample.to_pylist()) if facts.distinct <= 3 else {"?"}
        return CellForm(what="alleles" if few <= {"0", "1", "2"} else "")
    if facts.kind != "text" or not len(sample):
        return CellForm()
    if pc.all(pc.match_substring_regex(sample, _BASES)).as_py():
        return CellForm(what="bases")
    if _names_a_key(facts.name):
        return CellForm()
    meaning = by_name(facts.name)
    named_so = meaning is not None and meaning.topic == "diagnosis"
    for separator in _SEPARATORS:
        several = pc.match_substring(sample, separator)
        if pc.sum(several).as_py() >= max(1, _LEAST_SEVERAL * len(sample)):
            parts = _parts(sample, separator)
            if tree := icd(parts, named_so=named_so) or (named_so and like_icd10(parts) and _BY_PREFIX) or None:
                return CellForm(True, tree, separator)
    tree = icd(sample, named_so=named_so)
    return CellForm(tree is not None, tree)


def _names_a_key(name: str) -> bool:
    """P001 may be a patient's number, and is a code of ICD-10 too: what is called a key or an identifier is no code."""
    meaning = by_name(name)
    return is_person_key(name) or is_person_number(name) or ends_as_key(name) or bool(meaning and meaning.identifier)


def _parts(sample: pa.Array, separator: str) -> pa.Array:
    parts = pc.utf8_trim_whitespace(pc.list_flatten(pc.split_pattern(sample, separator)))
    return parts.filter(pc.not_equal(parts, "")).unique()
