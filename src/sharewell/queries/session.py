"""Sessions: ask questions of a dataset that a policy describes, under its budget.

    from sharewell.queries import Session

    with Session.open("policy.yaml", analyst="Ada") as session:
        session.cost({"measure": "count"}, epsilon=0.1)
        answer = session.ask({"measure": "count", "filter": {"sex": "F"}}, epsilon=0.1)

What happens to a question, in this order: it is understood, held against the declared domains and planned; opendp
states the loss of the plan; the ledger is charged, which is on disk before anything else happens; only then rows are
read and noise is drawn; the answer is kept in the ledger. Whoever asks the same again gets the answer that is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from sharewell.errors import PolicyError
from sharewell.extras import package
from sharewell.io.yaml_positions import dotted
from sharewell.opendp_noise import Price
from sharewell.plain_data import Json, JsonObject
from sharewell.policy import load
from sharewell.policy.model import Dataset, Policy
from sharewell.queries.answer import Answer, Cost, in_order, row_in_order
from sharewell.queries.data import ConfidentialTable
from sharewell.queries.engine.ledger import Balance, Charge, Ledger, StoredAnswer, question_digest
from sharewell.queries.engine.plans import Plan, plan_of
from sharewell.queries.engine.row_store import group_labels
from sharewell.queries.exact_answers import ExactAnswers, exact_accuracy
from sharewell.queries.loss import NO_GUARANTEE, Loss
from sharewell.queries.open_dataset import OpenDataset
from sharewell.queries.policy import Exact, QueriesPolicy
from sharewell.queries.question import Question
from sharewell.roles import did_you_mean

Asked = Question | str | Mapping[str, Json]
USUAL_ANALYST = "analyst"


class Session:
    """One analyst and one dataset. Threads may share it."""

    def __init__(self, dataset: Dataset | OpenDataset, analyst: str = USUAL_ANALYST) -> None:
        """Use `Session.open`; sessions of several analysts may share a dataset that is open."""
        self._data = dataset if isinstance(dataset, OpenDataset) else OpenDataset(dataset)
        self._accounts = self._data.accounts
        self.dataset, self.analyst = dataset.name, analyst
        self._own = self._accounts.of_analyst(analyst)

    @classmethod
    def open(cls, policy: str | Path | Policy, dataset: str | None = None, analyst: str = USUAL_ANALYST) -> Session:
        """A session for the dataset of a policy; its name may be left out where only one answers questions."""
        return cls(queried_dataset(policy if isinstance(policy, Policy) else load(policy), dataset), analyst)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the ledger and remove the private copy of the rows."""
        self._data.close()

    def cost(self, question: Asked, *, epsilon: float | None = None, rho: float | None = None) -> Cost:
        """What the question would cost, and how accurate its answer would be. Charges nothing and reads no row."""
        if (how := self._data.exact) is not None:
            asked = self._exactly(how, epsilon, rho).understood(Question.of(question))
            loss, accuracy = NO_GUARANTEE, exact_accuracy(how)
        else:
            asked, plan, loss = self._planned(question, epsilon, rho)
            accuracy = plan.accuracy
        groups = len(group_labels(dict(self._table.domains), asked.group_by))
        return Cost(asked.text, loss, accuracy, groups)

    def ask(self, question: Asked, *, epsilon: float | None = None, rho: float | None = None) -> Answer:
        """The answer, for a part of the budget. BudgetExhausted if not so much is left: then nothing is charged.

        Under `mode: exact` it has no price and no noise, and what may not be told exactly is a QuestionError.
        """
        if self._data.exact is not None:
            return self._ask_exactly(self._data.exact, question, epsilon, rho)
        asked, plan, loss = self._planned(question, epsilon, rho)
        package("polars", "questions")  # before anything is charged
        self._data.register_people()
        ledger, accounts = self._open_ledger()
        what = {"dataset": self.dataset, "question": asked.to_json(), **self._public_facts(plan)}
        digest = question_digest([what, loss.to_json(), self._table.declared], self._data.content)
        known = ledger.stored_answer(digest, loss, of=self._own)
        answer = known or self._paid(ledger, accounts, loss, digest, what, plan)
        remaining = {name: ledger.balance(name).remaining for name in accounts}
        rows = [row_in_order(row, asked.group_by) for row in answer.answer["rows"]]
        accuracy = in_order(answer.answer["accuracy"], plan.accuracy.to_json())
        protects = self._table.neighbours, self._table.rows_per_person
        return Answer(asked.text, rows, accuracy, loss, remaining, answer.charge, *protects, stored=known is not None)

    def budget(self) -> dict[str, Balance]:
        """The accounts of the dataset and of the analyst."""
        ledger, accounts = self._open_ledger()
        return {name: ledger.balance(name) for name in accounts}

    def history(self) -> list[Charge]:
        """What this analyst has asked, and what it cost."""
        ledger, _ = self._open_ledger()
        return ledger.history(self._own)

    def _ask_exactly(self, how: Exact, question: Asked, epsilon: float | None, rho: float | None) -> Answer:
        package("polars", "questions")
        exact = self._exactly(how, epsilon, rho)
        asked = exact.understood(Question.of(question))
        self._data.register_people()
        ledger, accounts = self._open_ledger()
        answer = exact.ask(asked, ledger, accounts)
        remaining = {name: ledger.balance(name).remaining for name in accounts}
        accuracy = exact_accuracy(how).to_json()
        return Answer(
            asked.text, answer.rows, accuracy, NO_GUARANTEE, remaining, answer.charge, "none", 1, answer.stored
        )

    def _exactly(self, how: Exact, epsilon: float | None, rho: float | None) -> ExactAnswers:
        if epsilon is not None or rho is not None:
            what = "epsilon and rho — this dataset answers exactly, and no price makes that private"
            raise PolicyError(f"{what} — leave the price out", "question")
        return self._data.exact_answers(how)

    def _planned(self, question: Asked, epsilon: float | None, rho: float | None) -> tuple[Question, Plan, Loss]:
        """The question as it was understood, its plan, and the loss that opendp states for it."""
        price = self._price(epsilon, rho)
        asked = Question.of(question).about(self._table.domains)
        plan = plan_of(asked, self._table, price)
        stated = Fraction(plan.loss) if plan.loss != price.amount else price.amount
        return asked, plan, Loss.of(**{price.unit: stated})

    def _price(self, epsilon: float | None, rho: float | None) -> Price:
        pure = self._accounts.budget.accounting == "pure"
        if (epsilon is None) == (rho is None):
            what = "nothing says how much to spend" if epsilon is None else "epsilon and rho are both given"
            raise PolicyError(f"{what} — give epsilon, such as 0.1{'' if pure else ', or rho'}", "question")
        if rho is not None:
            if pure:
                raise PolicyError("rho — the budget of this dataset counts epsilon — give epsilon", "question")
            return Price("zcdp", rho)
        assert epsilon is not None
        return Price("pure", epsilon)

    def _public_facts(self, plan: Plan) -> JsonObject:
        """What the ledger says of the mechanism: nothing of it depends on a row."""
        table, accuracy = self._table, plan.accuracy
        shown = {"noise": accuracy.noise, "scale": accuracy.scale, "sensitivity": accuracy.sensitivity}
        return {**shown, "neighbours": table.neighbours, "rows_per_person": table.rows_per_person}

    def _paid(
        self, ledger: Ledger, accounts: Sequence[str], loss: Loss, digest: str, what: JsonObject, plan: Plan
    ) -> StoredAnswer:
        """An answer that is new to this analyst: one that others paid for before costs this account the same."""
        paid = ledger.answer_or_charge(accounts, loss, question=digest, what=what, of=None)
        if isinstance(paid, StoredAnswer):
            return ledger.share_answer(paid, self._own, loss, question=digest, what=what)
        return StoredAnswer(paid.number, self._computed(ledger, paid, plan))

    def _computed(self, ledger: Ledger, paid: Charge, plan: Plan) -> JsonObject:
        """Read rows and draw noise; what was charged stays charged."""
        try:
            answer = {"rows": plan.answer(self._data.rows()), "accuracy": plan.accuracy.to_json()}
            ledger.store_answer(paid, answer)
            return answer
        except BaseException:
            ledger.abandon(paid)
            raise

    @property
    def _table(self) -> ConfidentialTable:
        return self._data.table

    def _open_ledger(self) -> tuple[Ledger, tuple[str, ...]]:
        ledger = self._data.ledger()
        return ledger, self._accounts.open_in(ledger, self.analyst)


def queried_dataset(policy: Policy, name: str | None = None) -> Dataset:
    """The dataset that answers questions: the one of that name, or the only one."""
    results = {key: one for key, one in policy.datasets.items() if one.kind == QueriesPolicy.kind}
    _refuse_separate_accounts(policy, list(results.values()))
    if name is None and len(results) == 1:
        return next(iter(results.values()))
    if name in results:
        return results[name]
    if not results:
        raise PolicyError(f"no dataset of kind {QueriesPolicy.kind} — nothing here answers questions", policy.path.name)
    known = f"these do: {', '.join(results)}"
    if name is None:
        raise PolicyError(f"{len(results)} datasets answer questions — name one — {known}", policy.path.name)
    hint = did_you_mean(name, results) or known
    raise PolicyError(f"no dataset '{name}' that answers questions — {hint}", policy.path.name)


def _refuse_separate_accounts(policy: Policy, datasets: Sequence[Dataset]) -> None:
    """Datasets about the same people pay from one account; `sharewell check` says the same with the line."""
    for i, dataset in enumerate(datasets):
        for place, what, hint, _ in dataset.own.beside(dataset, datasets[:i], ("datasets", dataset.name)):
            raise PolicyError(f"{dotted(place)} — {what} — {hint}", policy.path.name)
