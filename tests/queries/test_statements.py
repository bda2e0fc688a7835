"""The statements of the ledger are those that both databases understand."""

from __future__ import annotations

import re

from sharewell.queries.engine.ledger import statements
from sharewell.queries.engine.ledger.budget_ledger import Ledger

ALL = [
    text
    for name, value in vars(statements).items()
    if name.isupper()
    for text in ([value] if isinstance(value, str) else [])
]


def test_every_table_is_created() -> None:
    created = {re.search(r"CREATE TABLE (\w+)", text)[1] for text in statements.CREATE if "CREATE TABLE" in text}
    assert created == statements.TABLES


def test_no_statement_has_a_percent_sign_or_a_text_with_a_question_mark() -> None:
    """`?` becomes `%s` for PostgreSQL."""
    assert len(ALL) >= 20
    assert not [text for text in ALL if "%" in text or re.search(r"'[^']*\?[^']*'", text)]


def test_every_statement_runs_on_both_databases(where: str) -> None:
    """As far as planning it, with nothing for each value."""
    with Ledger.open(where) as ledger:
        for text in ALL:
            with ledger._database.reading():
                ledger._database.execute(f"EXPLAIN {text}", *[None] * text.count("?"))
