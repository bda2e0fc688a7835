"""A dataset that is being asked: its rows and its ledger, opened once for everybody who asks."""

from __future__ import annotations

import threading

from sharewell.policy.model import Dataset
from sharewell.queries.accounts import Accounts
from sharewell.queries.data import ConfidentialTable
from sharewell.queries.engine.ledger import Ledger
from sharewell.queries.engine.ledger.registered_people import register_people
from sharewell.queries.engine.row_store import RowStore
from sharewell.queries.exact_answers import ExactAnswers
from sharewell.queries.policy import Exact, confidential_table, query_keys

_PATIENCE = 0.3
"""Seconds that closing waits for rows that are just being read."""


class OpenDataset:
    """Rows and ledger are opened when they are first needed. Threads may share it."""

    def __init__(self, dataset: Dataset) -> None:
        self.name = dataset.name
        self.accounts = Accounts.of(dataset)
        self._table = confidential_table(dataset)
        self._rows: RowStore | None = None
        self._ledger: Ledger | None = None
        self.exact = query_keys(dataset).exact
        """How answers are kept from telling too much, where they are exact."""
        self._audit: ExactAnswers | None = None
        self._of_rows, self._of_ledger, self._of_audit = threading.Lock(), threading.Lock(), threading.Lock()
        self._of_people, self._registered = threading.Lock(), ""

    @property
    def table(self) -> ConfidentialTable:
        """What is public about it; its rows are read from `rows`."""
        return self._table

    @property
    def content(self) -> str:
        """Names the data as it is: other data gives other answers."""
        self._table.source.refuse_unknown(list(self._table.domains))  # before anything is charged: the header is no row
        return self._table.version

    def rows(self) -> RowStore:
        with self._of_rows:
            if self._rows is None:
                self._rows = RowStore(self._table)
                self._table = self._table.unread()
            return self._rows

    def ledger(self) -> Ledger:
        with self._of_ledger:
            if self._ledger is None:
                self._ledger = Ledger.open(self.accounts.where)
            return self._ledger

    def register_people(self) -> None:
        """Refuse, before any charge, an account that is not these people's, and losses that theirs does not count."""
        content, ledger = self.content, self.ledger()
        with self._of_people:
            if self._registered != content:
                account, exact = self.accounts.of_dataset, self.exact is not None
                register_people(ledger, account, self._table, "exact" if exact else "noisy")
                self._registered = content

    def exact_answers(self, how: Exact) -> ExactAnswers:
        """One audit for everybody who asks: what one is told counts against all."""
        content = self.content
        with self._of_audit:
            if self._audit is None:
                self._audit = ExactAnswers(self._table, how, content, self.rows)
            return self._audit

    def close(self) -> None:
        """Close the ledger and remove the private copy of the rows; one that is just made goes with the process."""
        if self._of_rows.acquire(timeout=_PATIENCE):
            try:
                if self._rows is not None:
                    self._rows.close()
                self._rows = None
            finally:
                self._of_rows.release()
        with self._of_ledger:
            if self._ledger is not None:
                self._ledger.close()
            self._ledger, self._audit = None, None
