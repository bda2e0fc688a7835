"""What a policy may say of tables beyond the keys of every kind of data: columns of text, and criteria of profiles."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from sharewell import registry
from sharewell.policy.model import ConfiguredAlgorithm, ConfiguredCriterion
from sharewell.policy.wing_policy import WingPolicy

if TYPE_CHECKING:
    from sharewell.policy.profiles import Facts

_K_ANONYMITY = "k-anonymity"


class TablesPolicy(WingPolicy):
    """Tables have no keys of their own: the common ones are theirs."""

    kind = "tables"
    typed_columns = True
    text_columns = True
    profiled = True

    def from_profile(self, facts: Facts) -> tuple[ConfiguredCriterion, ...]:
        """A least class size, and the rule itself where it is a criterion."""
        criteria: tuple[ConfiguredCriterion, ...] = ()
        if facts.k is not None:
            built = registry.lookup(self.kind, "criteria", _K_ANONYMITY)(k=facts.k)
            criteria = (ConfiguredAlgorithm(_K_ANONYMITY, {"k": facts.k}, built, from_profile=True, at=("profile",)),)
        if facts.criterion:
            built = registry.lookup(self.kind, "criteria", facts.criterion)()
            own = {field.name: getattr(built, field.name) for field in fields(built) if field.init}
            criteria += (ConfiguredAlgorithm(facts.criterion, own, built, from_profile=True, at=("profile",)),)
        return criteria
