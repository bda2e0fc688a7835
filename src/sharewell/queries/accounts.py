"""The accounts of a dataset in its ledger: one that caps everything that is ever told of it, one for each analyst."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sharewell.errors import DataError, PolicyError
from sharewell.policy.model import Dataset
from sharewell.policy.secrets import resolve
from sharewell.queries.engine.ledger import Balance, Charge, Ledger
from sharewell.queries.loss import Loss
from sharewell.queries.policy import Budget, query_keys

_LONGEST = 80
_ENV = "env:"


@dataclass(frozen=True)
class Accounts:
    """Names and caps of the accounts of one dataset."""

    dataset: str
    """Its name, or that of the account that it shares with others about the same people."""
    budget: Budget

    @classmethod
    def of(cls, dataset: Dataset) -> Accounts:
        budget = query_keys(dataset).budget
        if budget is None:
            raise PolicyError(f"datasets.{dataset.name} — has no budget — say budget: {{epsilon: …}}")
        return cls(budget.account or dataset.name, budget)

    @property
    def of_dataset(self) -> str:
        return f"dataset:{self.dataset}"

    def of_analyst(self, analyst: str) -> str:
        """The account of one analyst, by name."""
        name = analyst.strip()
        if not name or len(name) > _LONGEST or not name.isprintable():
            raise DataError(f"analyst — must be a name of 1 to {_LONGEST} printable characters")
        return f"{self.of_dataset}/analyst:{name}"

    @property
    def where(self) -> str | Path:
        """A file, or the URL that an environment variable holds."""
        ledger = self.budget.ledger
        return resolve(ledger, Path()).decode(errors="replace") if ledger.startswith(_ENV) else Path(ledger)

    @property
    def exists(self) -> bool:
        """Is there a ledger yet? Of one in a database nobody can say without asking it."""
        where = self.where
        return not isinstance(where, Path) or where.exists()

    @contextmanager
    def opened(self, *analysts: str) -> Iterator[tuple[Ledger, tuple[str, ...]]]:
        """The ledger with the accounts of the dataset and of these analysts, opened if they are new."""
        with Ledger.open(self.where) as ledger:
            yield ledger, self.open_in(ledger, *analysts)

    def caps(self, *analysts: str) -> dict[str, Loss]:
        """Account → its cap by the policy; an analyst without a limit may spend all there is."""
        budget = self.budget
        mine = budget.epsilon if budget.analyst is None else budget.analyst
        results = {self.of_dataset: Loss.of(epsilon=budget.epsilon)}
        return results | {self.of_analyst(analyst): Loss.of(epsilon=mine) for analyst in analysts}

    def open_in(self, ledger: Ledger, *analysts: str) -> tuple[str, ...]:
        caps = self.caps(*analysts)
        for name, cap in caps.items():
            ledger.open_account(name, cap, self.budget.accounting, self.budget.delta)
        return tuple(caps)

    def statement(self, *analysts: str) -> tuple[dict[str, Balance], list[Charge]]:
        """Every account of the dataset, or those of the dataset and of these analysts; and what was charged to them."""
        wanted = {self.of_dataset, *map(self.of_analyst, analysts)}
        with Ledger.open(self.where) as ledger:
            balances = {
                name: one
                for name, one in ledger.accounts().items()
                if name in wanted or (not analysts and name.startswith(f"{self.of_dataset}/"))
            }
            charges = {one.number: one for name in balances for one in ledger.history(name)}
        return balances, [charges[number] for number in sorted(charges)]

    def apply_caps(self, why: str, *analysts: str) -> None:
        """Set the caps of all accounts of the dataset to those of the policy; the ledger keeps the reason."""
        with Ledger.open(self.where) as ledger:
            mine, all_caps = f"{self.of_dataset}/analyst:", self.caps(*analysts)
            others = [name.removeprefix(mine) for name in ledger.accounts() if name.startswith(mine)]
            for name, cap in (all_caps | self.caps(*others)).items():
                if name in ledger.accounts():
                    ledger.set_cap(name, cap, why=why)
