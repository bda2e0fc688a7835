"""Diversity under rules: an attacker who knows all negative rules of the data still cannot guess a value in a class.

## Guarantee
An attacker finds the class of a person and excludes all values that negative rules of the original data exclude for
this person ("men have no ovarian cancer"). Even so, this attacker believes no sensitive value with a probability above
1/l, and at least l values remain possible for everybody.

## Adversary
Knows the quasi values of a target, that the target is in the data, and every negative rule that holds in the original
data: more than anybody is likely to know. So you need not foresee what attackers know.

## What it does not protect
Against positive rules ("smokers often have it": see the attack `definetti`), and against rules that the thresholds
leave out because chance may explain them. An attacker who also knows the quasi values of everybody else in the class
can exclude the values that the others must have, and does better.

## Parameters
originals: the file or frame of original records, with quasi and sensitive columns, from which rules are mined;
`columns` of the source maps names where they differ.
l: no value may be likelier than 1/l to an attacker who uses the rules.
rules: further rules that attackers may know, such as `{when: {sex: male}, never: [ovarian cancer]}`: medical knowledge
that the data has too few records to show. They are published with the policy.
column: one sensitive column; without it, every sensitive column is judged.
size: how many quasi columns a rule may be about.
expected: the least number of persons who would have both the property and the value if the two were independent.
confidence: of the persons with the property, the least share who lack the value; 1 (default): nobody has it.
support: the least share of all persons who have the property.
subject: the column of the originals that identifies persons, where the release knows persons too.
unit: "person" (default) bounds the share of persons and the share of records; "record" only the latter.

## Worked example
Eighty people; no man has ovarian cancer. A class of two women and two men looks diverse: three values among four
records, half of them flu. But to an attacker who knows the rule, each of the men has the flu with a probability of 2/3,
not 1/2.

>>> import pyarrow as pa
>>> from sharewell.tables import LDiversity, Table
>>> originals = pa.table({"sex": ["F", "F", "M", "M"] * 20, "ill": ["ovarian cancer", "flu", "gout", "flu"] * 20})
>>> shown = pa.table({"sex": ["*"] * 4, "ill": ["ovarian cancer", "flu", "gout", "flu"]})
>>> table = Table.of(shown, quasi=["sex"], sensitive=["ill"], published=True)
>>> print(LDiversity(2).check(table))
l-diversity = 3 values (≥ 2: holds)
>>> print(DiversityUnderRules(originals, l=2).check(table))
diversity-under-rules = 1.5 (≥ 2: FAILS)

## Why it is safe
The check decides on whole numbers. For every class it takes all original records that the cells of the class cover:
everybody in the class is among them. For each of their profiles (the values that rules exclude) and each value that
remains, it requires (n − x) / c to be at least l, where n are in the class, x of them have excluded values, and c have
the value. Persons with several values can only make this quotient too small. The profile that excludes nothing is
always checked, and rules that would leave a person no value are dropped for this person. A missing value does not
protect the others: it counts as excluded for everybody. A class that covers fewer originals than it has records is an
error, because these are not its originals. Only a steward, who has the originals, can re-check the criterion. Two
classes that hold may fail when merged, since persons of one then meet values of the other; mechanisms therefore check
again what they publish.

## Cost
O(n log n) for each choice of up to `size` quasi columns to mine; O(n + p) to judge, for p pairs of a profile and a
value that meet in a class.

A search over levels knows nothing of other levels: all are looked at unless their loss rules them out.

## Source
Li and Li, 2008 (Injector), who mine negative rules from the original and form buckets in which enough values are left
to everybody.
"""

from __future__ import annotations

from dataclasses import dataclass

from sharewell.tables.engine.checks.ruled_out_values import RulesCriterion


@dataclass(frozen=True)
class DiversityUnderRules(RulesCriterion):
    """After every negative rule of the original, no value is likelier than 1/l to anybody in a class."""
