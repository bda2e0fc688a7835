"""Build the ICD files under `src/sharewell/data/` from the full trees: `python tools/build_icd.py --data DIR`.

DIR holds `icd10cm.csv.gz` and `icd9cm.csv` (columns code, parent, level, title; depth first). What is written:

- `icd10cm.txt.gz`, `icd9cm.txt.gz`: the trees, in the form that `sharewell.hierarchy.codetree` reads;
- `icd10cm_titles.txt.gz`, `icd9cm_titles.txt.gz`: code, tab, title; `+` stands for the title of the parent.

Of ICD-9-CM only the billable codes and their titles are taken from the source: inner codes are the beginnings of those
codes, and the ranges of blocks and chapters stand below. Everything derived is compared with the source before writing.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from sharewell.hierarchy.codetree import CodeTree

OUT = Path(__file__).parent.parent / "src" / "sharewell" / "data"

ICD9_CHAPTERS = (
    (
        "Infections and parasites",
        "001-009 010-018 020-027 030-041 042-042 045-049 050-059 060-066 070-079 080-088 090-099 100-104 "
        "110-118 120-129 130-136 137-139",
    ),
    ("Neoplasms", "140-149 150-159 160-165 170-176 179-189 190-199 200-208 209-209 210-229 230-234 235-238 239-239"),
    ("Endocrine, nutrition, metabolism, immunity", "240-246 249-259 260-269 270-279"),
    ("Blood and blood-forming organs", "280-289"),
    ("Mental disorders", "290-299 300-316 317-319"),
    ("Nervous system and sense organs", "320-326 327-327 330-337 338-338 339-339 340-349 350-359 360-379 380-389"),
    ("Circulation", "390-392 393-398 401-405 410-414 415-417 420-429 430-438 440-449 451-459"),
    ("Respiration", "460-466 470-478 480-488 490-496 500-508 510-519"),
    ("Digestion", "520-529 530-539 540-543 550-553 555-558 560-569 570-579"),
    ("Genitourinary system", "580-589 590-599 600-608 610-612 614-616 617-629"),
    ("Pregnancy, childbirth, puerperium", "630-633 634-639 640-649 650-659 660-669 670-677 678-679"),
    ("Skin and subcutaneous tissue", "680-686 690-698 700-709"),
    ("Musculoskeletal system and connective tissue", "710-719 720-724 725-729 730-739"),
    ("Congenital anomalies", "740-759"),
    ("Perinatal conditions", "760-763 764-779"),
    ("Symptoms, signs, ill-defined conditions", "780-789 790-796 797-799"),
    (
        "Injury and poisoning",
        "800-829 830-839 840-848 850-854 860-869 870-897 900-904 905-909 910-919 920-924 925-929 930-939 "
        "940-949 950-957 958-959 960-979 980-989 990-995 996-999",
    ),
    (
        "Health status and contact with health services",
        "V01-V06 V07-V09 V10-V19 V20-V29 V30-V39 V40-V49 V50-V59 V60-V69 V70-V82 V83-V84 V85-V85 V86-V86 "
        "V87-V87 V88-V88 V89-V89 V90-V90 V91-V91",
    ),
    (
        "External causes of injury and poisoning",
        "E000-E000 E001-E030 E800-E848 E849-E849 E850-E858 E860-E869 E870-E876 E878-E879 E880-E888 E890-E899 "
        "E900-E909 E910-E915 E916-E928 E929-E929 E930-E949 E950-E959 E960-E969 E970-E978 E979-E979 E980-E989 "
        "E990-E999",
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with icd10cm.csv.gz and icd9cm.csv")
    data = parser.parse_args().data
    icd10 = read(gzip.decompress((data / "icd10cm.csv.gz").read_bytes()))
    icd9 = read((data / "icd9cm.csv").read_bytes())
    build("icd10cm", icd10, folded(icd10), lambda code: 3, titles10(icd10))
    build("icd9cm", icd9, folded(derived9(icd9)), cut9, titles9(icd9))


def cut9(code: str) -> int:
    return 4 if code.startswith("E") else 3


def read(raw: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(raw.decode("utf-8"), newline="")))


def folded(rows: Iterable[dict[str, str]]) -> str:
    """The tree as lines of chapters, blocks and categories."""
    rows = list(rows)
    inner = {row["parent"] for row in rows}
    lines: list[str] = []
    rests: list[str] = []
    leaves = 0

    def close() -> None:
        if lines and lines[-1][0] not in "@=":
            lines[-1] += f"\t{leaves}\t{' '.join(rests)}"

    for row in rows:
        code, level = row["code"], int(row["level"])
        if level <= 3:
            close()
            lines.append({1: "@", 2: "="}.get(level, "") + code)
            rests, leaves = [], 0
        else:
            rests.append(code.replace(".", "").removeprefix(lines[-1]))
        leaves += level >= 3 and code not in inner
    close()
    return "\n".join(lines) + "\n"


def derived9(source: list[dict[str, str]]) -> Iterator[dict[str, str]]:
    """ICD-9-CM from its billable codes and the ranges above."""
    inner = {row["parent"] for row in source}
    billable = [row["code"].replace(".", "") for row in source if row["code"] not in inner]
    codes = sorted({code[:end] for code in billable for end in range(cut9(code), len(code) + 1)})
    for number, (_, blocks) in enumerate(ICD9_CHAPTERS, start=1):
        chapter = f"ch{number:02}"
        yield {"code": chapter, "parent": "", "level": "1"}
        for block in blocks.split():
            first, last = block.split("-")
            yield {"code": block, "parent": chapter, "level": "2"}
            for code in codes:
                cut = cut9(code)
                if cut == len(first) and code[0].isdigit() == first[0].isdigit() and first <= code[:cut] <= last:
                    deeper = len(code) > cut
                    label = f"{code[:cut]}.{code[cut:]}" if deeper else code
                    parent = (code[:cut] if len(code) == cut + 1 else label[:-1]) if deeper else block
                    yield {"code": label, "parent": parent, "level": str(3 + len(code) - cut)}


def titles10(rows: list[dict[str, str]]) -> str:
    title = {row["code"]: row["title"] for row in rows}
    return "".join(f"{row['code']}\t{continued(row['title'], title.get(row['parent'], ''))}\n" for row in rows)


def titles9(rows: list[dict[str, str]]) -> str:
    inner = {row["parent"] for row in rows}
    chapters = [f"ch{number:02}\t{title}\n" for number, (title, _) in enumerate(ICD9_CHAPTERS, start=1)]
    return "".join([*chapters, *(f"{row['code']}\t{row['title']}\n" for row in rows if row["code"] not in inner)])


def continued(title: str, parent: str) -> str:
    return "+" + title[len(parent) :] if parent and title.startswith(parent) else title


def build(name: str, source: list[dict[str, str]], text: str, cut: object, titles: str) -> None:
    check(name, source, CodeTree(text, cut))  # type: ignore[arg-type]
    for file, content in ((f"{name}.txt.gz", text), (f"{name}_titles.txt.gz", titles)):
        # No time stamp and no name inside, so that building twice gives the same bytes.
        (OUT / file).write_bytes(gzip.compress(content.encode("utf-8"), 9, mtime=0))


def check(name: str, source: list[dict[str, str]], tree: CodeTree) -> None:
    """Every node of the source has the same chain and number of leaves in the tree, and there are no others."""
    parent = {row["code"]: row["parent"] for row in source}
    inner = set(parent.values())
    leaves: Counter[str] = Counter()
    for row in source:
        chain = [row["code"]]
        while parent[chain[-1]]:
            chain.append(parent[chain[-1]])
        assert tree.chain(row["code"]) == (*chain, "*"), f"{name}: {row['code']}"
        if row["code"] not in inner:
            leaves.update([*chain, "*"])
    assert all(tree.leaves(code) == count for code, count in leaves.items()), name
    assert set(tree.codes()) == {row["code"] for row in source if int(row["level"]) >= 3}, name


if __name__ == "__main__":
    main()
