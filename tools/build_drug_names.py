"""Build the list of further names of drugs that the detector of drugs looks words up in.

`data/drugs/more_names.txt.gz`: names of one word, of six letters and more, that are neither in our own table nor words
of English nor names of people. From the Python package drug-named-entity-recognition (MIT): substances with a page for
patients, their brands, and substances of the open list of DrugBank.
Run: python tools/build_drug_names.py FOLDER (of the unpacked package)
"""

from __future__ import annotations

import bz2
import gzip
import pickle
import re
import sys
from pathlib import Path

from sharewell.notes.engine.lexicons import people, words

DRUGS = Path(__file__).parents[1] / "src" / "sharewell" / "data" / "drugs"


def main() -> None:
    listed = pickle.loads(bz2.decompress((Path(sys.argv[1]) / "drug_ner_dictionary.pkl.bz2").read_bytes()))
    about = listed["drug_canonical_to_data"]
    open_names = {name for name, data in about.items() if data.get("drugbank_id")}
    for_patients = {name for name, data in about.items() if data.get("medline_plus_id") or data.get("nhs_url")}
    own = set(re.findall("[a-z]+", (DRUGS / "drugs.txt").read_text("utf-8").lower()))
    names = {
        name
        for name, means in listed["drug_variant_to_canonical"].items()
        if re.fullmatch("[a-z]{6,}", name) and (name in open_names or for_patients.intersection(means))
    }
    names -= own | words().keys() | people().keys()
    with (DRUGS / "more_names.txt.gz").open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write("".join(f"{name}\n" for name in sorted(names)).encode())


if __name__ == "__main__":
    main()
