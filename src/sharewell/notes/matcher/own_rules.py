"""A user's own file of rules, which a policy names: in order, and each rule does justice to its examples."""

from __future__ import annotations

from pathlib import Path

from sharewell.errors import Mistake, PolicyError
from sharewell.io.sources import Source
from sharewell.notes.matcher.matching import RuleDetector
from sharewell.notes.matcher.rule_examples import failed


def own_rules(path: Path) -> RuleDetector:
    """The detector of a user's own rules. PolicyError for every mistake, and for examples that a rule gets wrong: what
    its author believes of it is not so, and a release must not rely on it."""
    detector = RuleDetector.from_file(path)
    hint = f"correct the rule or the example; `sharewell notes rules test {path.name} --show-values` shows it"
    if wrong := [Mistake(0, 0, one.where, one.what, hint) for one in failed(detector.rules)]:
        raise PolicyError(wrong, path.name)
    return detector


class RuleFile(Source):
    """A user's own file of rules, as policies name it: known by its hash."""

    def names(self) -> list[str]:
        """It has no columns; but its rules must be in order."""
        try:
            if self.path is not None:
                own_rules(self.path)
        except PolicyError as error:  # where this is asked, the place is the policy's: the message has the file's
            raise PolicyError(str(error).replace("\n", "; ")) from None
        return []
