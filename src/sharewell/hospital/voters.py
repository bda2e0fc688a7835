"""The public extract of the register: adults who are listed as voters, with the errors such lists have."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.hospital.calendar import day_of, parts
from sharewell.hospital.columns import dates, scrambled, where, words
from sharewell.hospital.draws import Bools, Dice, Ints, Lane, Stream
from sharewell.hospital.names import load_names
from sharewell.hospital.people import People, person_ids, zips
from sharewell.hospital.places import load_places

TYPO, OLD_ZIP, SWAPPED, FORMER = 0.02, 0.015, 0.005, 0.03
TOOK_A_NAME = 0.54  # share of the women listed whose family name is not the one they were born with


def misspelt(name: str, dice: Dice) -> str:
    """One edit: two letters swapped, one dropped or one doubled."""
    place = 1 + dice.below(max(len(name) - 2, 1))
    edits = (
        name[:place] + name[place + 1 : place + 2] + name[place] + name[place + 2 :],
        name[:place] + name[place + 1 :],
        name[:place] + name[place] + name[place:],
    )
    edited = str(dice.of(edits)) if len(name) > 2 else name
    return edited if edited != name else name[:place] + name[place] + name[place:]


def _families(people: People, listed: Ints, lane: Lane) -> tuple[pa.Array, Bools]:
    """Family names: some women stand under a former one, some names are misspelt."""
    took = people.female[listed] & (people.former[listed] != people.family[listed])
    former = took & lane.chance("former", FORMER / TOOK_A_NAME)
    number = np.where(former, people.former[listed], people.family[listed])
    names = words(load_names().families, number)
    wrong = np.flatnonzero(lane.chance("typo", TYPO))
    seeds = lane.at(wrong).words("typo/edit")
    edited = [misspelt(names[int(row)].as_py(), Dice(int(seed))) for row, seed in zip(wrong, seeds, strict=True)]
    mask = np.zeros(len(listed), dtype=np.bool_)
    mask[wrong] = True
    if edited:
        names = pc.replace_with_mask(names, pa.array(mask), pa.array(edited))
    return names, mask | former


def voters_tables(people: People, seed: int, home: str, size: int) -> tuple[pa.Table, pa.Table]:
    """The rows of voters.csv, and who they are (truth/voters.csv), of the first `size` people of the block."""
    listed = np.flatnonzero(people.voter[:size])
    lane, places = Stream(seed, "voters").of(people.number[listed]), load_places(home)
    family, renamed = _families(people, listed, lane)
    year, month, day = parts(people.birth[listed])
    swap = lane.chance("swap", SWAPPED / 0.36) & (day <= 12) & (day != month)
    birth = np.where(swap, day_of(year, np.where(swap, day, month), np.where(swap, month, day)), people.birth[listed])
    moved = lane.chance("moved", OLD_ZIP)
    prefix = np.where(moved, places.prefix(lane), people.prefix[listed])
    ending = np.where(moved, places.ending(lane), people.ending[listed])
    ids = scrambled("N", people.number[listed], seed * 31 + 3)
    columns = {
        "voter_id": ids,
        "given": words(load_names().givens, people.given[listed]),
        "family": family,
        "sex": words(pa.array(["M", "F"]), people.female[listed].astype(np.int64)),
        "birth_date": dates(birth),
        "zip": zips(home, prefix, ending),
    }
    unchanged = pa.array([""] * len(listed), pa.string())
    changed = where(renamed, "name", where(swap, "birth_date", where(moved, "zip", unchanged)))
    persons = person_ids(people, seed).take(pa.array(listed))
    truth = pa.table({"voter_id": ids, "person_id": persons, "changed": changed})
    return pa.table(columns), truth
