"""People with codes and DNA for tests: made from plain rows, and read back from what is shown."""

from __future__ import annotations

from typing import Any

import plain_joint as plain
import pyarrow as pa
from hypothesis import strategies as st

from sharewell.codes import CodeSets
from sharewell.hierarchy import Tree
from sharewell.joint import RTData, SnpCells
from sharewell.tables import Table

CODES = list("abcdef")
TREE = Tree([[code, "xy"[i // 3], "*"] for i, code in enumerate(CODES)])
CALLS = {"*": "012", **{str(i): str(i) for i in range(3)}, "{0,1}": "01", "{0,2}": "02", "{1,2}": "12"}
IUPAC = {
    **{base: base for base in "ACGT-"},
    "R": "AG",
    "Y": "CT",
    "S": "CG",
    "W": "AT",
    "K": "GT",
    "M": "AC",
    "B": "CGT",
    "D": "AGT",
    "H": "ACT",
    "V": "ACG",
    "N": "ACGT-",
}

calls = st.lists(st.integers(-1, 2), min_size=3, max_size=3)
bases = st.lists(st.sampled_from([1, 2, 4, 8, 15, 16, 5]), min_size=2, max_size=2)


def person(dna: Any) -> Any:
    return st.tuples(
        st.sampled_from([20, 21, 30, None]),
        st.sampled_from(["F", "M"]),
        st.sets(st.sampled_from([*CODES, "q"]), max_size=4),
        dna,
    )


def opened(rows: list[Any], quasi: bool = True) -> RTData:
    """Rows of age, sex, codes and DNA: calls of 0, 1, 2 and −1, or numbers of IUPAC codes if some are larger."""
    ages, sexes, codes, dna = zip(*rows, strict=True)
    who = [f"p{i}" for i in range(len(rows))]
    frame = pa.table({"who": who, "age": pa.array(ages, pa.int64()), "sex": list(sexes)})
    columns = {"quasi": ["age", "sex"]} if quasi else {"quasi": [], "drop": ["age", "sex"]}
    table = Table.of(frame, subject="who", **columns)  # type: ignore[arg-type]
    sets = CodeSets.of([sorted(one) for one in codes], hierarchy=TREE, persons=who)
    letters = len(dna[0]) == 2
    cells = SnpCells.of_bases(dna, "dna") if letters else SnpCells.of_calls(dna, [f"rs{i}" for i in range(3)])
    return RTData.of(table, sets, cells)


def shown(data: RTData) -> list[plain.Joined]:
    """What a reader sees, as sets."""
    assert data.dna is not None
    table = data.table.arrow
    quasi = data.table.schema.quasi
    cells = (
        list(zip(*(map(str, table[name].to_pylist()) for name in quasi), strict=True)) if quasi else [()] * data.rows
    )
    labels = [[frozenset(data.codes.members[i]) for i in data.codes.sets.row(row)] for row in range(data.rows)]
    columns = data.dna.columns()
    if data.dna.alphabet == "calls":
        dna = [[frozenset(CALLS[text]) for text in texts] for texts in zip(*columns.values(), strict=True)]
    else:
        dna = [[frozenset(IUPAC[symbol]) for symbol in text] for text in columns["dna"]]
    return list(zip(cells, labels, dna, strict=True))
