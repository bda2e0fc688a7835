"""Names of drugs: listed, misspelt, split, shorthand, cued; what only looks like them; and the tree of classes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_text import check, found

from sharewell.notes.engine.drug_lexicon import chain, drug_tree, endings, lexicon
from sharewell.notes.engine.drug_names import Drugs
from sharewell.notes.engine.drug_spelling import distance, listed_form, misspelt
from sharewell.notes.engine.lexicons import words

DRUGS = """
Patient on [vasopressors] noted to have dose of [phenylephrine] which was 10 times recommended maximum dose.
[Lasix] 40 mg, [LISINOPRIL] 10 mg and [Solu-Medrol] given; [solu medrol], [Neo-Synephrine], [z-pak]
Continue [vitamin D], [potassium chloride] and [ferrous sulfate]; [Tylenol #3] as needed.
Patient recieved [vancomyacin] 1gm instead of [gentamycin] 80mg
[heparine] gtt, [propfol] at 50, [fentynl], [amioderone] bolus, [lorazapam], [norephinephrine], [hydralizine]
[nor epinephrine] at 0.2; [potasium chloride] 20 meq; [dobutamin] 5mcg/kg/min; [antibotics] held
Pt on [levo] at 12 mcg/min and [neo] 100 mcg/min
on [dopa] and [levo]; [vaso] 0.04 units/min; [epi] 1:10,000 given; two amps of [bicarb]; [dig] toxicity
[MSO4] 10 mg IVP, [vanc] trough, [KCL] 40meq, [MgSO4] 2gm, [K-phos] 15 mmol, [mag] 2 g IV
given [potassium] 40 meq and [magnesium] 2 g; takes [calcium] supplements
[Insulin] drip; glucose 45; potassium 2.9; sodium was 128; calcium level pending
allergic to [penicilin] and [sulfa]; allergy to [codiene]
started on [zelvantrix] 5 mg; dose of [blimfor] doubled; [tenovimab] infusion
[Advair] and [Allegra]; stopped her [Allegra]
no [bicarb]; after [mag], better; [Zosyn], [mero] if worse; [ket]/[prop] drawn up; repleted [mag]; [heroin] use
a [water pill] and [chemo] day 3; [saline] rinse; [NS] at 125; 500 [LR]; [mag] 2 IV; fifty of [roc]; [vit K] 10 IV
[retatrutide], [Zepbound], [Leqvio], [Vymada], [Microgynon], [Sando-K], [Journavx], [lecanemab], [Trixeo], [Abrysvo]
[paracetamol] susp 250 mg; [bisacodyl] supp 10 mg; [quetiapine] approx 6 g; [metoprolol] succ 50; rebolus 40 units/kg
changed from [Cozaar] to [Entresto], added [Ozempic], [Jardiance] and [Eliquis]
""".strip().splitlines()

NO_DRUGS = """
Nurse Neo came; he is going to levo street; dig deeper; the vaso was full
Sodium 135, potassium 4.2, calcium 9.1, phosphate 3.3, albumin 2.9, magnesium level 1.8
Foley bag was not emptied and output not recorded for 6 hours.
Ventilator alarm ignored for 10 minutes, sat dropped to 82%; extubated, reintubated, bronchoscopy done
CT angiography of the subclavian; hepatomegaly, splenomegaly, thrombocytopenia, hyponatremia
low sodium diet, iron deficiency anemia, calcium channel, testosterone level
seen on FaceTime from Rockland; the Panorex was read; loaner Phonak; it's 1/14; SSI of the wound; Saline County Hospital
Allegra Jones and Ella Brown visited; he fell on concrete; given to her sister; patient on room air
""".strip().splitlines()


@pytest.mark.parametrize("marked", DRUGS)
def test_drugs_are_found(marked) -> None:
    check(Drugs(), marked)


def test_a_name_glued_to_its_dose() -> None:
    assert found(Drugs(), "gave lasix40mg IV") == ["lasix"]


@pytest.mark.parametrize("text", NO_DRUGS)
def test_other_words_are_not(text) -> None:
    assert found(Drugs(), text) == []


def test_no_everyday_word_is_a_misspelt_or_a_sure_drug() -> None:
    wrong = [
        word for word, mark in words().items() if mark == "1" and (term := lexicon().terms.get(word)) and term.sure
    ]
    assert len(wrong) <= 40, wrong
    assert {"dose", "patient", "line", "pump"}.isdisjoint(lexicon().terms)


@pytest.mark.parametrize(
    ("name", "label", "group"),
    [
        ("conivaptan", "vasopressin antagonist", "diuretic"),
        ("metyrosine", "catecholamine synthesis inhibitor", "antihypertensive"),
        ("desmopressin", "synthetic vasopressin analogue", "haemostatic"),
        ("semaglutide", "glp-1 receptor agonist", "antidiabetic"),
        ("alteplase", "plasminogen activator", "thrombolytic"),
        ("epoetin alfa", "erythropoiesis stimulating agent", "haematopoietic agent"),
        ("remdesivir", "coronavirus antiviral", "antiviral"),
        ("levodopa", "dopamine precursor", "antiparkinson agent"),
        ("colchicine", "antigout agent", "analgesic"),
        ("Ativan", "benzodiazepine", "sedative"),
        ("tirzepatide", "glp-1 receptor agonist", "antidiabetic"),
        ("mavacamten", "cardiac myosin inhibitor", "inotrope"),
        ("sotatercept", "activin signalling inhibitor", "antihypertensive"),
        ("sotorasib", "kinase inhibitor", "antineoplastic"),
        ("agalsidase alfa", "enzyme replacement", "metabolic agent"),
    ],
)
def test_classes(name, label, group) -> None:
    assert chain(name) == (name, label, group, "medication")


def test_the_tree_is_whole() -> None:
    tree = drug_tree()
    assert len(tree.leaves) > 1300
    assert tree.summary()["labels told apart by their column"] == 0
    assert {len(tree.chain(leaf)) for leaf in tree.leaves} == {5}  # name, class, group, medication, root
    classes = {label for label, _ in lexicon().classes.values()}
    assert set(endings().values()) - {"monoclonal antibody"} <= classes


def test_endings_do_not_contradict_the_table() -> None:
    """The class told by an ending is the one of at least two listed names that end so."""
    for ending, label in endings().items():
        if label != "monoclonal antibody":
            same = [name for name, (own, _) in lexicon().classes.items() if name.endswith(ending) and own == label]
            assert same, ending


words_of_letters = st.text("abcdr", max_size=7)


@given(words_of_letters, words_of_letters)
def test_distance_is_symmetric_and_bounded(one, two) -> None:
    apart = distance(one, two)
    assert apart == distance(two, one)
    assert abs(len(one) - len(two)) <= apart <= max(len(one), len(two))
    assert (apart == 0) == (one == two)


@given(
    st.sampled_from(
        sorted(f for f, t in lexicon().terms.items() if t.known and t.sure and t.spelt and f.isalpha() and len(f) >= 9)
    ),
    st.data(),
)
def test_two_wrong_letters_are_still_found(name, data) -> None:
    """The index by beginnings finds every long name with two letters changed, left out or doubled."""
    word = name
    for _ in range(2):
        at = data.draw(st.integers(1, len(word) - 1))
        left, right = word[:at], word[at + 1 :]
        word = data.draw(st.sampled_from([left + right, f"{left}x{right}", f"{left}e{word[at:]}"]))
    if len(word) >= 9:
        assert distance(misspelt(word, True), word) <= 2


def test_what_is_meant() -> None:
    assert listed_form("Levofed") == "levophed"
    assert listed_form("qqqq") == "qqqq"


@given(st.text(max_size=120))
def test_any_text(text) -> None:
    for span in Drugs().find(text):
        assert 0 <= span.start < span.end <= len(text)
        assert text[span.start : span.end] not in span.reason or len(text) < 5
