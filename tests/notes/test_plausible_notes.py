"""t-plausibility, concept-match and K-safety: what each promises, against brute force."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from math import isclose, log, prod
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError, Infeasible
from sharewell.hierarchy import Tree
from sharewell.io.sources import Source
from sharewell.notes import Notes
from sharewell.notes.criteria.concepts_only import ConceptsOnly
from sharewell.notes.criteria.k_safe import KSafe, contexts_of
from sharewell.notes.criteria.t_plausible import Ontology, TPlausible
from sharewell.notes.engine.lexicons import people
from sharewell.notes.engine.vocabulary import Concepts, Vocabulary, concepts_of, shipped_concepts
from sharewell.notes.mechanisms.concept_match import ConceptMatch
from sharewell.notes.mechanisms.k_safety import KSafety, terms_to_remove
from sharewell.notes.mechanisms.t_plausibility import TPlausibility, cheapest_steps


def tree_of(*sizes: int) -> Tree:
    """A branch for each size, of two levels: pairs of leaves below a branch."""
    rows = []
    for b, size in enumerate(sizes):
        rows += [[f"leaf{b}x{i}", f"pair{b}x{i // 2}", f"branch{b}", "*"] for i in range(size)]
    return Tree(rows)


# --- vocabulary ---


def test_a_term_is_found_whatever_its_case_accents_and_line_ends() -> None:
    found = Vocabulary(["Ménière's disease"]).find("MENIERE'S\nDisease, or meniere s  disease")
    assert [(one.start, one.end) for one in found] == [(0, 17), (22, 40)]


@given(st.lists(st.sampled_from("ab"), min_size=1, max_size=8), st.sets(st.text("ab", min_size=1, max_size=3)))
def test_every_term_is_found_wherever_it_stands(words: list[str], terms: set[str]) -> None:
    text = " ".join(words)
    vocabulary = Vocabulary(" ".join(term) for term in terms)
    listed = {" ".join(term) for term in terms}
    brute = {
        (2 * i, 2 * j - 1, " ".join(words[i:j]))
        for i, j in combinations(range(len(words) + 1), 2)
        if " ".join(words[i:j]) in listed
    }
    assert set(vocabulary.every(text)) == brute
    covered = vocabulary.find(text)
    assert all(left.end <= right.start for left, right in pairwise(covered))


# --- t-plausibility ---


@settings(max_examples=60)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(1, 60))
def test_the_least_product_that_reaches_t_is_found_and_the_most_even_one(sizes: list[int], t: int) -> None:
    onto = Ontology(tree_of(*sizes))
    words = [f"leaf{b}x0" for b in range(len(sizes))]
    worths = [[1, min(2, size), size, sum(sizes)] for size in sizes]
    chosen = cheapest_steps(onto, words, t)
    chains = [[onto.worth(label) for label in (*onto.tree.chain(word)[:-1], "*")] for word in words]
    reached = [chains[b][chosen[word]] for b, word in enumerate(words)]
    every = [choice for choice in product(*worths) if prod(choice) >= t]
    if not every:
        assert prod(reached) == max(prod(choice) for choice in product(*worths))
        return
    best = min(prod(choice) for choice in every)
    assert prod(reached) == best
    uneven = min(sum(log(n) ** 2 for n in choice) for choice in every if prod(choice) == best)
    assert isclose(sum(log(n) ** 2 for n in reached), uneven, abs_tol=1e-9)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=3),
    st.lists(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=4), min_size=1, max_size=4),
    st.integers(1, 20),
)
def test_whatever_is_published_is_plausible_and_a_word_has_one_label_in_all_notes_of_a_person(
    sizes: list[int], spoken: list[list[tuple[int, int]]], t: int
) -> None:
    tree = tree_of(*sizes)
    texts = [
        "Has " + ", ".join(f"leaf{b}x{i}" for b, i in words if b < len(sizes) and i < sizes[b]) + " today."
        for words in spoken
    ]
    notes = Notes.of(texts, persons=["p"] * len(texts))
    released = TPlausibility(t, tree).protect(notes, [TPlausible(t, tree)])
    for text in released.data.texts:
        shown = sorted({word.strip(",.") for word in text.split()[1:-1]})
        leaves = [[leaf for leaf in tree.leaves if label == "[*]" or label in tree.chain(leaf)] for label in shown]
        plausible = sum(len(set(choice)) == len(choice) for choice in product(*leaves))
        assert not shown or plausible >= t
        assert not shown or Ontology(tree).plausible(shown) == plausible
    labels: dict[str, set[str]] = {}
    for row, text in zip(released.rows, released.data.texts, strict=True):
        before, after = texts[row].split()[1:-1], text.split()[1:-1]
        for old, new in zip(before, after, strict=True):
            labels.setdefault(old.strip(",."), set()).add(new.strip(",."))
    assert all(len(shown) == 1 for shown in labels.values())


def test_four_words_are_as_plausible_as_ninety_six_texts() -> None:
    """The figure of the paper's example; its ontologies are not printed, so that these are ours."""
    tree = tree_of(4, 4, 3, 2)
    text = "leaf0x0 leaf1x0 leaf2x0 leaf3x0"
    made = TPlausibility(96, tree).protect(Notes.of([text]), [TPlausible(96, tree)]).data
    assert TPlausible(1, tree).check(made).value == 96
    assert list(made.texts) == ["branch0 branch1 branch2 pair3x0"]


def test_a_prior_that_one_leaf_dominates_makes_its_branch_worth_little(tmp_path: Path) -> None:
    prior = tmp_path / "prior.csv"
    prior.write_text("leaf,weight\nleaf0x0,98\nleaf0x1,1\nleaf0x2,1\nleaf0x3,0\n")
    tree, source = tree_of(4), Source.of(prior)
    rule = TPlausible(2, tree, "expected", source)
    worth = rule.check(Notes.of(["branch0"])).value
    assert worth is not None
    assert isclose(worth, 2 ** -(0.98 * log(0.98, 2) + 0.02 * log(0.01, 2)), rel_tol=1e-6)
    assert rule.check(Notes.of(["branch0"])).ok is False
    made = TPlausibility(2, tree, "expected", source).protect(Notes.of(["leaf0x0", "nothing"]), [rule])
    assert list(made.data.texts) == ["nothing"]
    assert made.data.withheld == {"too few plausible texts": 1}


def test_two_words_that_meet_in_one_label_count_once() -> None:
    """Two words below one label of two leaves: the label twice could be one word, two texts; so more is needed."""
    tree = tree_of(2, 2)
    made = TPlausibility(3, tree).protect(Notes.of(["leaf0x0 leaf0x1"]), [TPlausible(3, tree)]).data
    assert TPlausible(3, tree).check(Notes.of(["pair0x0 pair0x0"])).value == 2
    assert [text.count("[*]") for text in made.texts] == [1]


@pytest.mark.parametrize(
    "rows", ["leaf,weight\nleaf0x0,much\n", "leaf,weight\nleaf0x0,-1\n", "leaf,weight\nelsewhere,3\n"]
)
def test_a_broken_prior_is_refused(tmp_path: Path, rows: str) -> None:
    prior = tmp_path / "prior.csv"
    prior.write_text(rows)
    with pytest.raises(DataError, match=r"prior\.csv — "):
        TPlausible(2, tree_of(4), "expected", Source.of(prior)).check(Notes.of(["branch0"]))


# --- concept-match ---


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=60), st.booleans())
def test_whatever_the_text_only_concepts_are_left(text: str, codes: bool) -> None:
    source = Source.of(pa.table({"term": ["heart failure", "asthma"], "code": ["I50", "J45.9"]}))
    notes = Notes.of([f"Ada {text} with asthma, heart failure since 1961 {text}"])
    made = ConceptMatch(source, codes).protect(notes, [ConceptsOnly(source)]).data.texts
    (published,) = made
    assert "asthma" in published
    assert ("[J45.9]" in published) is codes
    assert "Ada" not in published
    assert not any(sign.isdigit() for sign in published.replace("J45.9", "").replace("I50", ""))


def test_shipped_concepts_hold_no_word_that_is_a_name_by_itself() -> None:
    alone = [term for term in shipped_concepts().codes if " " not in term and term.lower() in people()]
    assert alone == []
    assert len(shipped_concepts().codes) > 20_000


def test_a_vocabulary_needs_terms(tmp_path: Path) -> None:
    file = tmp_path / "terms.csv"
    file.write_text("word\nasthma\n")
    with pytest.raises(DataError, match="no column 'term'"):
        concepts_of(Source.of(file))
    assert isinstance(concepts_of(None), Concepts)


# --- K-safety ---

contexts = st.dictionaries(
    st.sampled_from("ABCD"), st.sets(st.sampled_from(["p", "q", "r", "s", "t"]), min_size=1), min_size=2
)


def source_of(given_: dict[str, set[str]]) -> Source:
    pairs = [(entity, term) for entity, terms in sorted(given_.items()) for term in sorted(terms)]
    return Source.of(pa.table({"entity": [e for e, _ in pairs], "term": [t for _, t in pairs]}))


def is_safe(given_: dict[str, set[str]], shown: set[str], k: int) -> bool:
    """By definition: every part of what is shown of a context is in k contexts or more."""
    for terms in given_.values():
        mine = shown & terms
        for size in range(1, len(mine) + 1):
            for part in combinations(sorted(mine), size):
                if sum(set(part) <= other for other in given_.values()) < k:
                    return False
    return True


@settings(max_examples=150)
@given(contexts, st.sets(st.sampled_from(["p", "q", "r", "s", "t"])), st.integers(1, 4))
def test_the_fewest_terms_are_removed(given_: dict[str, set[str]], shown: set[str], k: int) -> None:
    found = contexts_of(source_of(given_), ())
    listed = {term for term in shown if term in found.holders}
    if len(given_) < k:
        return
    gone = terms_to_remove(found, listed, k)
    assert is_safe(given_, listed - gone, k)
    fewest = next(
        n
        for n in range(len(listed) + 1)
        for some in combinations(sorted(listed), n)
        if is_safe(given_, listed - set(some), k)
    )
    assert len(gone) == fewest
    assert is_safe(given_, listed - terms_to_remove(found, listed, k, steps=0), k)


@settings(max_examples=60, deadline=None)
@given(
    contexts, st.lists(st.sets(st.sampled_from(["p", "q", "r", "s", "t"])), min_size=1, max_size=3), st.integers(1, 3)
)
def test_all_notes_of_a_person_together_are_safe(given_: dict[str, set[str]], spoken: list[set[str]], k: int) -> None:
    source = source_of(given_)
    notes = Notes.of([" and ".join(sorted(words)) for words in spoken], persons=["one"] * len(spoken))
    rule = KSafe(k, source)
    if len(given_) < k:
        with pytest.raises(Infeasible):
            KSafety(k, source).protect(notes, [rule])
        return
    released = KSafety(k, source).protect(notes, [rule]).data
    together = {word for text in released.texts for word in text.split()} & {"p", "q", "r", "s", "t"}
    assert is_safe(given_, together, k)
    assert rule.check(notes).ok is is_safe(given_, {w for words in spoken for w in words}, k)


def test_a_term_across_another_is_seen() -> None:
    source = source_of({"A": {"acute heart", "heart failure"}, "B": {"acute heart"}})
    assert KSafe(2, source).check(Notes.of(["acute heart failure"])).value == 1
    made = KSafety(2, source).protect(Notes.of(["acute heart failure"]), [KSafe(2, source)]).data.texts
    assert "failure" not in made[0]


def test_only_listed_entities_are_protected_and_they_must_have_a_context() -> None:
    source = source_of({"A": {"p"}, "B": {"q"}, "C": {"q"}})
    assert KSafe(2, source, only=("B",)).check(Notes.of(["p q"])).ok
    with pytest.raises(DataError, match="1 of the entities"):
        KSafe(2, source, only=("Z",)).check(Notes.of(["p"]))
