"""Where the cues of many rules are in a note, looked for together, so that most rules are never tried.

Words: all lists are turned about (a word → the rules that have it), and each word of the note is looked up once. An
Aho–Corasick automaton over the letters would be no quicker (of 6,717 words: pyahocorasick 0.45 ms a kilobyte,
ahocorasick_rs 0.2): the tokens are needed anyway. Digits and runs: at each, one automaton says which rules may match
(`prefix_automaton`). Signs: all are looked for at once (`sign_search`). Gazetteers: rules that name the same one share
the search.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from sharewell.notes.engine.spans import Text, View
from sharewell.notes.matcher.phrases import phrases
from sharewell.notes.matcher.prefix_automaton import PrefixAutomaton
from sharewell.notes.matcher.rule import Rule
from sharewell.notes.matcher.sign_search import SignSearch

Places = Sequence[Any]
"""Of a rule in a note: where its cue begins; of runs and gazetteers from where to where it goes."""


class SharedCues:
    """The cues of many rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._by_word: dict[str, list[int]] = {}
        self._followers: list[int] = []
        self._by_sign: dict[tuple[View, str], list[tuple[int, Rule]]] = {}
        self._by_gazetteer: dict[tuple[str, bool], list[int]] = {}
        self._digits, self._runs = _Grouped(), _Grouped()
        for number, rule in enumerate(rules):
            self._add(number, rule)

    def _add(self, number: int, rule: Rule) -> None:
        for word in rule.words:
            self._by_word.setdefault(word, []).append(number)
        if rule.follows:
            self._followers.append(number)
        elif rule.phrases:
            self._by_gazetteer.setdefault((rule.phrases, rule.as_named), []).append(number)
        elif rule.run:
            self._runs.add(number, _Group(rule.view, rule.cue, (1, 1), "", ""), rule)
        elif rule.digits:
            self._digits.add(number, _Group(rule.view, rule.cue, rule.digits, rule.next, rule.sign), rule)
        elif not rule.words:
            self._by_sign.setdefault((rule.view, rule.sign), []).append((number, rule))

    def of(self, text: Text) -> tuple[dict[int, Places], list[int]]:
        """Number of a rule → its cues in order, of the rules that have any; and the rules that may find something:
        these, and those that follow what others find. Looked for once."""
        if self not in text.cues:
            cues = self._words(text)
            self._digits.look_up(text, ((start, end, end - start) for start, end in text.digits), cues)
            self._look_for_signs(text, cues)
            self._look_up_runs(text, cues)
            for (gazetteer, capital), numbers in self._by_gazetteer.items():
                if places := _phrase_places(gazetteer, capital, text):
                    cues |= dict.fromkeys(numbers, places)
            text.cues[self] = cues, sorted([*cues, *self._followers])
        return text.cues[self]

    def _words(self, text: Text) -> dict[int, Places]:
        cues: dict[int, Any] = {}
        by_word, positions, starts, several = self._by_word, text.positions, text.token_starts, set()
        for word in by_word.keys() & positions.keys():
            places = [starts[at] for at in positions[word]]
            for number in by_word[word]:
                if number in cues:
                    cues[number] = cues[number] + places  # others may share the list
                    several.add(number)
                else:
                    cues[number] = places
        for number in several:
            cues[number].sort()
        return cues

    def _look_for_signs(self, text: Text, cues: dict[int, Places]) -> None:
        for view, search, numbers in self._searches:
            for sign, starts in search.found(text.seen(view)).items():
                for number in numbers[sign]:
                    cues[number] = starts

    @cached_property
    def _searches(self) -> list[tuple[View, SignSearch, list[list[int]]]]:
        """By how rules see a note: a search for all their signs, and the rules of each."""
        by_view: dict[View, list[list[tuple[int, Rule]]]] = {}
        for (view, _), rules in self._by_sign.items():
            by_view.setdefault(view, []).append(rules)
        return [
            (
                view,
                SignSearch([rules[0][1].sign for rules in part], [rules[0][1].cue_beginning for rules in part]),
                [[number for number, _ in rules] for rules in part],
            )
            for view, signs in by_view.items()
            for part in (signs[at : at + SignSearch.MOST] for at in range(0, len(signs), SignSearch.MOST))
        ]

    def _look_up_runs(self, text: Text, cues: dict[int, Places]) -> None:
        found: dict[int, Places] = {}
        self._runs.look_up(text, ((start, end, 1) for start, end in text.runs), found)
        if found:
            ends = dict(text.runs)
            cues |= {number: [(start, ends[start]) for start in starts] for number, starts in found.items()}


class _Group(NamedTuple):
    """What rules have in common that are tried at the same digits or runs."""

    view: View
    pattern: str
    """It begins there."""
    long: tuple[int, int]
    """How many digits there are at least and at most."""
    next: str
    """What follows them, if not anything."""
    sign: str


@dataclass
class _Grouped:
    """Rules that are tried at digits or runs, by what they have in common."""

    numbers: dict[_Group, list[int]] = field(default_factory=dict)
    rules: dict[_Group, Rule] = field(default_factory=dict)
    """One rule of each."""

    def add(self, number: int, group: _Group, rule: Rule) -> None:
        self.numbers.setdefault(group, []).append(number)
        self.rules.setdefault(group, rule)

    @cached_property
    def _by_view(self) -> list[tuple[View, _OfView]]:
        views = dict.fromkeys(group.view for group in self.numbers)
        by_view = {view: {group: self.rules[group] for group in self.numbers if group.view == view} for view in views}
        return [(view, _OfView(rules)) for view, rules in by_view.items()]

    def look_up(self, text: Text, places: Iterable[tuple[int, int, int]], cues: dict[int, Places]) -> None:
        """Add the cues at places (from, to, how long)."""
        listed = list(places)
        for view, groups in self._by_view if listed else ():
            for group, starts in groups.found(text.seen(view), listed).items():
                cues |= dict.fromkeys(self.numbers[group], starts)


class _OfView:
    """Groups of rules that see a note in the same way."""

    def __init__(self, rules: Mapping[_Group, Rule]) -> None:
        groups = self._groups = list(rules)
        self._signs = dict[int, Callable[[str, int], re.Match[str] | None]]()
        self._automaton = PrefixAutomaton([rule.cue_beginning for rule in rules.values()])
        self._longest = 1 + max(group.long[1] for group in groups)
        """Longer runs of digits are all the same."""
        self._followers = frozenset("".join(group.next for group in groups))
        self._starts: dict[tuple[int, str], Any] = {}

    def found(self, seen: str, places: Iterable[tuple[int, int, int]]) -> dict[_Group, list[int]]:
        found: dict[int, list[int]] = {}
        longest, followers = self._longest, self._followers
        groups, signs, starts, may_match = self._groups, self._signs, self._starts, self._automaton.may_match
        for start, end, long in places:
            after = seen[end : end + 1]
            key = long if long < longest else longest, after if after in followers else ""
            begin = starts.get(key)
            if begin is None:
                begin = starts[key] = self._start(*key)
            for number in may_match(seen, start, begin):
                group = groups[number]
                if group.sign and number not in signs:
                    signs[number] = re.compile(group.sign).match
                if not group.sign or signs[number](seen, start):
                    if number in found:
                        found[number].append(start)
                    else:
                        found[number] = [start]
        return {groups[number]: starts for number, starts in found.items()}

    def _start(self, long: int, after: str) -> Any:
        """Where a walk begins over so many digits with a character after them."""
        return self._automaton.start(
            number
            for number, group in enumerate(self._groups)
            if group.long[0] <= long <= group.long[1] and (not group.next or after in tuple(group.next))
        )


def _phrase_places(gazetteer: str, capital: bool, text: Text) -> list[tuple[int, int]]:
    """Entries of a gazetteer; several collections of rules share the search."""
    key = gazetteer, capital
    if key not in text.phrases:
        text.phrases[key] = list(phrases(gazetteer).within(text, text.named if capital else ""))
    return text.phrases[key]
