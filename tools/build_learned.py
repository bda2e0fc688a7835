"""Train the shipped model, on generated text alone: `python tools/build_learned.py [--out FILE]`.

A tenth of the text are notes of the synthetic hospital; the rest is put together from pieces of notes of our own
(`learned_sentences.txt`) and lists of names, places, drugs and conditions. A third of the names are in no list. The
model sees no letters beyond those of everyday words that many notes have, so it learns what stands around names rather
than names. Needs python-crfsuite; takes a minute. The same text gives the same model.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sharewell.notes.hide.modelfile import Model
from sharewell.notes.training import learn, measure

GAPS = {
    "G": "given_name",
    "S": "family_name",
    "N": "person",
    "P": "town",
    "V": "state",
    "O": "organisation",
    "A": "street",
    "Z": "zip_code",
    "D": "date",
    "I": "number",
    "T": "telephone",
    "X": "great_age",
    "C": "condition",
    "R": "drug",
    "E": "eponym_phrase",
    "Y": "eponym",
    "L": "language",
    "U": "measurement",
    "Q": "score",
    "W": "term",
}
"""What stands for what in `learned_sentences.txt`; the last eight are nothing to hide."""
KINDS = {
    "N": "NAME",
    "G": "NAME",
    "S": "NAME",
    "P": "PLACE",
    "V": "PLACE",
    "O": "ORGANISATION",
    "A": "ADDRESS",
    "Z": "ADDRESS",
    "D": "OTHER",
    "I": "ID",
    "T": "OTHER",
    "X": "OTHER",
}
"""What rules find well by its form (dates, telephone numbers, ages) is one kind, so that it is not taken for others."""
OURS = frozenset(KINDS.values())
Note = tuple[str, list[tuple[int, int, str]]]
_MONTHS = ["Jan", "Feb", "March", "Apr", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "December"]
_LANGUAGES = [
    "Spanish",
    "English",
    "French",
    "Russian",
    "Portuguese",
    "Vietnamese",
    "Arabic",
    "Polish",
    "Hindi",
    "Tagalog",
    "Mandarin",
    "Korean",
    "Somali",
]


class Writer:
    """Draws fillings and puts pieces together. The seed is fixed: the same text on every machine."""

    def __init__(self, seed: int = 11) -> None:
        from sharewell.io.shipped import shipped_rows, shipped_text
        from sharewell.notes.gazetteer import places, state_names
        from sharewell.notes.lexicons import eponym_phrases, eponyms, people, words

        self.rng = np.random.default_rng(seed)
        names, english = people(), words()
        self.given = sorted(name for name, mark in names.items() if mark in "gGbB" and english.get(name) != "1")
        self.usual_given = [name for name in self.given if names[name] in "GB"]
        self.surname = sorted(name for name, mark in names.items() if mark in "sSbB" and english.get(name) != "1")
        self.usual_surname = [name for name in self.surname if names[name] in "SB"]
        marks = places().marks
        self.towns = sorted(name for name, mark in marks.items() if mark == "u" and len(name) > 3)
        self.far = sorted(name for name, mark in marks.items() if mark == "w" and len(name) > 3)
        self.states = sorted(state_names())
        lines = shipped_text("icd10cm_titles.txt.gz").splitlines()
        titles = [title for line in lines if not (title := line.partition("\t")[2]).startswith(("+", "["))]
        self.conditions = sorted({t.partition(",")[0].partition("(")[0].strip() for t in titles if 4 < len(t) < 60})
        self.drugs = sorted({row["drug"] for row in shipped_rows("hospital/medications.csv")})
        self.eponyms = sorted({phrase for _, phrase in eponym_phrases()})
        self.alone = sorted(word for word in eponyms() if len(word) > 3)
        self.everyday = sorted(word for word, level in english.items() if level in "34c" and 4 < len(word) < 12)
        self.pieces = Path(__file__).with_name("learned_sentences.txt").read_text(encoding="utf-8").splitlines()

    def pick(self, listed: Sequence[str]) -> str:
        return listed[int(self.rng.integers(len(listed)))]

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def digits(self, many: int) -> str:
        return "".join(str(d) for d in self.rng.integers(0, 10, many))

    def unlisted(self, one: Sequence[str]) -> str:
        """A name that is in no list: the front of one and the back of another."""
        front, back = self.pick(one), self.pick(one)
        return (front[: max(2, len(front) // 2)] + back[len(back) // 2 :])[:12]

    def given_name(self) -> str:
        name = (
            self.unlisted(self.given)
            if self.chance(0.25)
            else self.pick(self.usual_given if self.chance(0.6) else self.given)
        )
        return name.title()

    def family_name(self) -> str:
        name = (
            self.unlisted(self.surname)
            if self.chance(0.3)
            else self.pick(self.usual_surname if self.chance(0.5) else self.surname)
        )
        if self.chance(0.06):
            name = f"{name}-{self.pick(self.usual_surname)}"
        if self.chance(0.04):
            name = self.pick(("o'", "mc", "de la ", "van ", "al-")) + name
        return name.title()

    def person(self) -> str:
        g, s = self.given_name(), self.family_name()
        initial = self.pick("ABCDEFGHJKLMNPRSTW")
        return self.pick(
            (
                f"{g} {s}",
                f"{g} {s}",
                f"{s}, {g}",
                f"{g} {initial}. {s}",
                f"{initial}. {s}",
                f"{s}, {g} {initial}",
                f"{g} {self.family_name()} {s}",
            )
        )

    def town(self) -> str:
        if self.chance(0.15):
            return (
                f"{self.unlisted(self.towns).title()} {self.pick(('Springs', 'Creek', 'Falls', 'Hollow', 'Junction'))}"
            )
        return self.pick(self.towns if self.chance(0.8) else self.far).title()

    def state(self) -> str:
        state = self.pick(self.states)
        return state.title() if self.chance(0.5) else "".join(word[0] for word in (state + " x").split())[:2].upper()

    def organisation(self) -> str:
        head = self.pick(
            (
                self.family_name(),
                self.town(),
                f"St. {self.given_name()}",
                f"{self.family_name()} {self.family_name()}",
                self.town(),
            )
        )
        tail = self.pick(
            (
                "Hospital",
                "Medical Center",
                "Memorial Hospital",
                "Clinic",
                "Nursing Home",
                "Rehab",
                "Manor",
                "Regional Medical Center",
                "Pharmacy",
                "Elementary School",
                "High School",
                "University",
                "Unified School District",
                "Foods",
                "Steel",
                "Logistics",
                "Brothers",
                "& Sons",
                "Lutheran Church",
                "Assisted Living",
                "Family Medicine",
                "Health System",
                "Correctional Facility",
                "VA",
                "Cancer Center",
                "Home Health",
                "Dialysis",
                "Shelter",
                "Senior Living",
                "Urgent Care",
                "Hospice",
            )
        )
        return f"{head} {tail}"

    def street(self) -> str:
        way = self.pick(("St", "Street", "Ave", "Avenue", "Rd", "Lane", "Dr", "Blvd", "Court", "Way", "Hwy", "Terrace"))
        flat = f", Apt {self.rng.integers(1, 40)}" if self.chance(0.2) else ""
        name = self.family_name() if self.chance(0.6) else self.pick(self.everyday).title()
        return f"{self.rng.integers(1, 9999)} {name} {way}{flat}"

    def zip_code(self) -> str:
        return self.digits(5) + (f"-{self.digits(4)}" if self.chance(0.2) else "")

    def date(self) -> str:
        d, m, y = int(self.rng.integers(1, 29)), int(self.rng.integers(1, 13)), int(self.rng.integers(1930, 2026))
        month = self.pick(_MONTHS)
        return self.pick(
            (
                f"{m}/{d}/{y}",
                f"{m}/{d}/{y % 100:02d}",
                f"{y}-{m:02d}-{d:02d}",
                f"{month} {d}, {y}",
                f"{d} {month} {y}",
                f"{m}/{d}",
                f"{month} {d}",
                f"{d:02d}{month[:3].upper()}{y}",
            )
        )

    def number(self) -> str:
        letters = "".join(self.pick("ABCDEFGHKLMNPRSTVWXZ") for _ in range(int(self.rng.integers(1, 4))))
        return self.pick(
            (
                self.digits(int(self.rng.integers(5, 11))),
                f"{letters}{self.digits(6)}",
                f"{letters}-{self.digits(5)}",
                f"{self.digits(2)}-{self.digits(4)}-{self.digits(2)}",
                f"{letters}{self.digits(2)}-{self.digits(5)}",
                f"{self.digits(3)} {self.digits(3)} {self.digits(3)}",
            )
        )

    def telephone(self) -> str:
        a, b, c = self.digits(3), self.digits(3), self.digits(4)
        return self.pick((f"({a}) {b}-{c}", f"{a}-{b}-{c}", f"{a}.{b}.{c}", f"{b}-{c}", f"x{c}"))

    def great_age(self) -> str:
        return str(self.rng.integers(90, 105))

    def condition(self) -> str:
        return self.pick(self.conditions).lower() if self.chance(0.8) else self.pick(self.conditions)

    def drug(self) -> str:
        drug = self.pick(self.drugs)
        return drug.title() if self.chance(0.3) else drug

    def eponym_phrase(self) -> str:
        return self.pick(self.eponyms).title() if self.chance(0.6) else self.pick(self.eponyms)

    def eponym(self) -> str:
        return self.pick(self.alone).title()

    def language(self) -> str:
        return self.pick(_LANGUAGES)

    def score(self) -> str:
        a, b, c = (int(n) for n in self.rng.integers(1, 30, 3))
        return self.pick(
            (
                f"{a}/{b}",
                f"{a % 7}/52",
                f"{a}-{b}-{c % 3}",
                f"{a * 10}-{b * 20}",
                f"L{a % 5 + 1}-L{b % 5 + 1}",
                f"{a}",
                f"{a}.{b % 10}",
                f"{a % 6}+",
                f"T{a % 12}/{b % 12}",
                f"{a}:{b:02d}",
            )
        )

    def measurement(self) -> str:
        return self.pick(
            (
                f"{self.rng.integers(1, 500)} mg",
                f"{self.rng.integers(90, 190)}/{self.rng.integers(50, 110)}",
                f"{self.rng.integers(1, 200)}",
                f"{self.rng.integers(1, 99) / 10}",
                f"{self.rng.integers(60, 100)} %",
            )
        )

    def term(self) -> str:
        """Capitalised, and nothing to hide: a condition, or words of English as a heading writes them."""
        if self.chance(0.4):
            return self.pick(self.conditions).title()
        return " ".join(self.pick(self.everyday).title() for _ in range(int(self.rng.integers(1, 3))))

    def note(self) -> Note:
        """Some pieces, filled, in lines or running on; a few in capitals or in lower case."""
        text, spans = "", []
        for _ in range(int(self.rng.integers(1, 14))):
            before = self.pick(self.pieces)
            while "{" in before:
                head, _, rest = before.partition("{")
                said = getattr(self, GAPS[rest[0]])()
                text += head
                if rest[0] in KINDS:
                    spans.append((len(text), len(text) + len(said), KINDS[rest[0]]))
                text, before = text + said, rest[2:]
            text += before + self.pick(("\n", "\n", " ", "  ", "; ", "\n\n"))
        case = self.rng.random()
        changed = text.upper() if case < 0.1 else text.lower() if case < 0.25 else text
        return (changed if len(changed) == len(text) else text), spans


def hospital(patients: int = 120, most: int = 400) -> list[Note]:
    """Notes of the synthetic hospital."""
    from sharewell.hospital.hospital import Hospital
    from sharewell.notes.detectors.plugged import USUAL

    made = Hospital(patients=patients, seed=29)
    spans = {row["note_id"]: row["spans"] for block in made.note_spans() for row in block}
    notes = [note for block in made.notes() for note in block][:most]
    ours = {label: kind for label, kind in USUAL.items() if kind in OURS}
    return [
        (
            n["body"],
            [
                (s["start"], s["end"], ours.get(s["label"], "OTHER"))
                for s in spans[n["note_id"]]
                if s["label"] not in ("DRUG", "DOSE")
            ],
        )
        for n in notes
    ]


def generated(many: int = 4000, seed: int = 11) -> list[Note]:
    writer = Writer(seed)
    return [writer.note() for _ in range(many)]


def made(many: int = 4000, least: int = 8) -> Model:
    return learn([*hospital(), *generated(many)], least, affixes=False, c1=0.4, c2=0.05, max_iterations=100)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--out", type=Path, default=Path("src/sharewell/data/notes/learned.json.gz"))
    out = asked.parse_args().out
    model = made()
    packed = gzip.compress(model.to_bytes(), 9, mtime=0)
    out.write_bytes(packed)
    from sharewell.notes.detectors.learned import Learned

    other = measure(Learned.of(model), generated(200, seed=12))
    sys.stdout.write(f"{out}: {len(packed):,} bytes, {model.sheet.notes} notes; on others made alike: {other}\n")


if __name__ == "__main__":
    main()
