"""The codes of a file, mapped to another classification before anything else happens, and counted.

>>> import pyarrow as pa
>>> from sharewell.hierarchy import ICD9CM
>>> rows = pa.table({"subject": ["a", "a", "b"], "code": ["I10", "E11.9", "I50.9"]})
>>> mapping = CodeMapping(gems="icd10cm-icd9cm", ambiguous="ancestor")
>>> mapped, account = mapping.apply(rows, ICD9CM(), "visits.csv")
>>> mapped["code"].to_pylist()
['401', '250.00', '428']
>>> account
Mapped(codes=3, mapped=1, ambiguous=2, unmapped=0, kept=0)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.codes.engine.code_files import CODE
from sharewell.errors import DataError
from sharewell.hierarchy.chains import ROOT
from sharewell.hierarchy.crosswalk import Answer, Crosswalk
from sharewell.hierarchy.gaps import ListingHierarchy
from sharewell.hierarchy.systems import joined
from sharewell.io.cleaning_account import StepAccount
from sharewell.io.sources import Source

Ambiguous = Literal["refuse", "all", "first", "ancestor"]
Unmapped = Literal["refuse", "keep", "missing"]
Fate = Literal["mapped", "ambiguous", "unmapped", "kept"]


@dataclass(frozen=True)
class Mapped:
    """How many entries of the file were mapped; each code counts as often as it stands there."""

    codes: int
    mapped: int
    ambiguous: int
    unmapped: int
    kept: int
    """Of the other classification already."""

    def as_step(self) -> StepAccount:
        """As the account of cleaning has it: what could not be mapped could not be read."""
        return StepAccount("crosswalk", self.mapped + self.ambiguous, self.unmapped, self.ambiguous)


@dataclass(frozen=True)
class CodeMapping:
    """A crosswalk, and what becomes of codes that have several counterparts, or none."""

    source: Source | None = None
    gems: str | None = None
    """The name of a crosswalk that ships."""
    of: str | None = None
    """The system, as the system column names it, whose codes are mapped; others are of the target already."""
    ambiguous: Ambiguous = "refuse"
    unmapped: Unmapped = "refuse"

    @property
    def crosswalk(self) -> Crosswalk:
        if self.gems is not None:
            return Crosswalk.shipped(self.gems)
        assert self.source is not None
        return Crosswalk.of_file(self.source)

    @property
    def public_details(self) -> dict[str, str]:
        """What the release says of the crosswalk."""
        name = {"table": self.gems} if self.gems is not None else {"table": "a file of the publisher's"}
        return {**name, "ambiguous": self.ambiguous, "unmapped": self.unmapped}

    def apply(self, rows: pa.Table, target: ListingHierarchy | None, label: str) -> tuple[pa.Table, Mapped]:
        """The rows with mapped codes, one row for each, and the count. DataError where the policy says refuse."""
        encoded = pc.dictionary_encode(rows[CODE]).combine_chunks()
        encoded = encoded.chunk(0) if isinstance(encoded, pa.ChunkedArray) else encoded
        codes: list[str] = encoded.dictionary.to_pylist()
        number = encoded.indices.fill_null(len(codes)).to_numpy(zero_copy_only=False).astype(np.int64)
        entries = np.bincount(number, minlength=len(codes) + 1)
        walk = self.crosswalk
        fates = [self._fate(code, walk, target) for code in codes]
        counts: Counter[Fate] = Counter()
        for (fate, _), times in zip(fates, entries.tolist(), strict=False):
            counts[fate] += times
        if counts["kept"] and (both := self._in_both(codes, walk, target)):
            what = f"{both} of {len(codes)} different codes are of both classifications, and the file mixes these"
            raise DataError(f"{label} — crosswalk — {what} — name the column that distinguishes them: system, and of")
        self._refuse([fate for fate, _ in fates], counts, label)
        listed: list[Sequence[str | None]] = [*(answer or (None,) for _, answer in fates), (None,)]
        lengths = np.array([len(answer) for answer in listed], dtype=np.int64)
        row = np.repeat(np.arange(len(number)), lengths[number])
        made = pa.array([code for i in number.tolist() for code in listed[i]], pa.string())
        mapped = rows.take(pa.array(row))
        place = mapped.column_names.index(CODE)
        total = int(entries[: len(codes)].sum())
        account = Mapped(total, *(counts[fate] for fate in ("mapped", "ambiguous", "unmapped", "kept")))
        return mapped.set_column(place, CODE, made), account

    def _fate(self, written: str, walk: Crosswalk, target: ListingHierarchy | None) -> tuple[Fate, Answer]:
        """What becomes of one code."""
        code = written
        if self.of is not None:
            system, _, code = written.partition(joined("", ""))
            if system != self.of:
                return "kept", (code,)
        answers = walk.answers(code)
        if answers is None and self.of is None and target is not None and target.lists(code):
            return "kept", (code,)
        if not answers:
            return self._without(code)
        if len(answers) == 1:
            return "mapped", answers[0]
        if self.ambiguous == "all":
            return "ambiguous", tuple(sorted({one for answer in answers for one in answer}))
        if self.ambiguous == "first":
            return "ambiguous", answers[0]
        if self.ambiguous == "refuse":
            return "ambiguous", ()
        above = _ancestor(answers, target)
        return self._without(code) if above is None else ("ambiguous", (above,))

    def _without(self, code: str) -> tuple[Fate, Answer]:
        return "unmapped", (code,) if self.unmapped == "keep" else ()

    def _in_both(self, codes: Sequence[str], walk: Crosswalk, target: ListingHierarchy | None) -> int:
        """Codes that mean one thing in each classification, where nobody says of which they are."""
        if self.of is not None or target is None:
            return 0
        return sum(walk.answers(code) not in (None, ((code,),)) and target.lists(code) for code in codes)

    def _refuse(self, fates: Sequence[Fate], counts: Counter[Fate], label: str) -> None:
        number = Counter(fates)
        if counts["unmapped"] and self.unmapped == "refuse":
            what = f"{number['unmapped']} of {len(fates)} different codes ({counts['unmapped']} entries)"
            hint = "correct them, or say unmapped: missing, or keep"
            none = "no counterpart" + (", or nothing below the root in common" if self.ambiguous == "ancestor" else "")
            raise DataError(f"{label} — crosswalk — {what} have {none} — {hint}")
        if not counts["ambiguous"]:
            return
        what = f"{number['ambiguous']} of {len(fates)} different codes ({counts['ambiguous']} entries)"
        if self.ambiguous == "refuse":
            hint = "say ambiguous: ancestor, all or first"
            raise DataError(f"{label} — crosswalk — {what} have several counterparts — {hint}")


def _ancestor(answers: Sequence[Answer], target: ListingHierarchy | None) -> str | None:
    """The lowest label of the target at or above all counterparts; None if that is the root, which says nothing."""
    if target is None:
        return None
    chains = [target.chain(code) for answer in answers for code in answer]
    common = next((label for label in chains[0] if all(label in chain for chain in chains)), ROOT)
    return None if common == ROOT else common
