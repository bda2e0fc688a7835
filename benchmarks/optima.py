"""Proven optima beside those of another tool: `python -m benchmarks.optima --cases FILE --data DIR --json`.

The file lists configurations with the loss of the best transformation, and losses of single transformations; its
`about` holds the definitions. Losses agree to 1e-6. Where a case says `arx_practical_monotonicity`, a lower loss counts
as a match too. What cannot be run (a file, a model or a metric that is not there) is counted as no match, and listed as
"not available" with what is missing. The last line printed is always the summary, as JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from sharewell import registry
from sharewell.errors import PolicyError, SharewellError
from sharewell.hierarchy import Tree
from sharewell.io.delimited import read_text_rows
from sharewell.roles import Role, Schema
from sharewell.tables import Table
from sharewell.tables.engine.protection.lattice.node_losses import CLASS_LOSSES, LossChoice
from sharewell.tables.engine.protection.lattice.nodes import Nodes
from sharewell.tables.engine.protection.lattice.open_nodes import Lattice
from sharewell.tables.engine.protection.lattice.search import search

CLOSE = 1e-6
LOSSES = {"non-uniform-entropy": "entropy", "aecs": "class-size"}
MODELS = {
    "k-anonymity": ("k-anonymity", {"k": "k"}),
    "distinct-l-diversity": ("l-diversity", {"l": "l"}),
    "entropy-l-diversity": ("entropy-l-diversity", {"l": "l", "estimator": "estimator"}),
    "recursive-cl-diversity": ("recursive-l-diversity", {"c": "c", "l": "l"}),
    "t-closeness-equal": ("t-closeness", {"t": "t"}),
    "t-closeness-ordered": ("t-closeness", {"t": "t"}),
    "t-closeness-hierarchical": ("t-closeness", {"t": "t"}),
    "basic-beta-likeness": ("beta-likeness", {"beta": "beta"}),
    "enhanced-beta-likeness": ("beta-likeness", {"beta": "beta"}),
    "delta-disclosure-privacy": ("delta-disclosure", {"delta": "delta"}),
    "k-map": ("k-map", {"k": "k"}),
    "delta-presence": ("delta-presence", {"min": "min", "max": "max"}),
    "average-risk": ("marketer-risk", {"threshold": "max"}),
    "sample-uniqueness": ("sample-uniqueness", {"threshold": "max"}),
    "population-uniqueness": (
        "population-uniqueness",
        {"threshold": "max", "population_size": "population_size", "estimator": "estimator"},
    ),
}
"""Model → our criterion, and how its parameters are named."""


class NotAvailable(Exception):
    """A file, a model or a metric that is not there."""


class Data:
    """The files of a folder, each read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._frames: dict[str, Any] = {}
        self._trees: dict[str, Tree] = {}

    def frame(self, name: str) -> Any:
        if name not in self._frames:
            self._need(name)
            header, *rows = read_text_rows(self.folder / name, ";")
            columns = list(zip(*rows, strict=True))
            self._frames[name] = pa.table({n: pa.array(c, pa.string()) for n, c in zip(header, columns, strict=True)})
        return self._frames[name]

    def tree(self, name: str) -> Tree:
        if name not in self._trees:
            self._need(name)
            self._trees[name] = Tree.from_csv(self.folder / name, separator=";")
        return self._trees[name]

    def _need(self, name: str) -> None:
        if not (self.folder / name).is_file():
            raise NotAvailable(f"no file {name} among the data")

    def sample(self, case: Mapping[str, Any]) -> Any:
        """The rows that are released: those of a model's sample, or all."""
        whole = self.frame(f"{case['dataset']}.csv")
        for model in case["models"]:
            given = model.get("sample", {})
            if "rows_file" in given:
                self._need(given["rows_file"])
                lines = (self.folder / given["rows_file"]).read_text().split()
                return whole.take(pa.array([int(line) for line in lines]))
            if "subset" in given:
                return whole.take(pa.array(matching(self.frame(given["subset_of"]), self.frame(given["subset"]))))
        return whole


def matching(whole: Any, part: Any) -> list[int]:
    """Rows of the whole that the part lists, each used once, the first unused one for every row."""
    wanted = Counter(zip(*(column.to_pylist() for column in part.columns), strict=True))
    found = []
    for number, row in enumerate(zip(*(whole[name].to_pylist() for name in part.column_names), strict=True)):
        if wanted[row]:
            wanted[row] -= 1
            found.append(number)
    return found


def criteria(case: Mapping[str, Any], whole: Any) -> list[Any]:
    """Our criteria for a case's models."""
    found = []
    for model in case["models"]:
        kind = model["model"]
        if kind == "inclusion":
            continue
        if kind not in MODELS:
            raise NotAvailable(kind)
        name, renamed = MODELS[kind]
        try:
            criterion = registry.lookup("tables", "criteria", name)
        except PolicyError:
            raise NotAvailable(name) from None
        known = {one.name for one in fields(criterion)}
        given = {ours: model[theirs] for theirs, ours in renamed.items() if theirs in model and ours in known}
        if "estimator" in given:
            given["estimator"] = given["estimator"].lower()
        given |= {"column": model["attribute"]} if "attribute" in model else {}
        given |= {"population": whole.select(case["qi"])} if kind in ("k-map", "delta-presence") else {}
        given |= {"unit": "record"} if "unit" in known else {}
        given |= {"distance": kind.rpartition("-")[2]} if name == "t-closeness" else {}
        given |= {"enhanced": kind.startswith("enhanced")} if "enhanced" in known else {}
        try:
            found.append(criterion(**given))
        except (TypeError, ValueError) as error:
            raise NotAvailable(f"{name}: {error}") from None
    return found


def table(case: Mapping[str, Any], data: Data) -> Table:
    """The rows that are released, with roles and hierarchies."""
    sample, sensitive = data.sample(case), case.get("sensitive")
    trees: dict[str, Any] = {name: data.tree(f"{case['dataset']}_hierarchy_{name}.csv") for name in case["qi"]}
    roles = dict.fromkeys(case["qi"], Role.QUASI)
    if sensitive:
        roles[sensitive] = Role.SENSITIVE
        named = [model["hierarchy"] for model in case["models"] if "hierarchy" in model]
        trees |= {sensitive: data.tree(named[0])} if named else {}
    lacking = [name for name in roles if name not in sample.column_names]
    if lacking:
        raise NotAvailable(f"no column {', '.join(lacking)} in {case['dataset']}.csv")
    arrow = sample.select(list(roles))
    if any(model["model"] == "t-closeness-ordered" for model in case["models"]) and sensitive not in trees:
        # There they are ordered as text; here texts that look like numbers would be ordered as numbers.
        texts = pa.array(["'" + text for text in arrow[sensitive].to_pylist()], pa.string())
        arrow = arrow.set_column(arrow.column_names.index(sensitive), sensitive, texts)
    kinds: dict[str, Any] = dict.fromkeys(roles, "text")
    return Table.from_arrow(arrow, Schema(roles), trees, kinds=kinds)


def choice(case: Mapping[str, Any]) -> LossChoice:
    """Our loss for a case's metric."""
    metric = case["metric"]
    loss = LOSSES.get(metric["name"], metric["name"])
    by_class = loss in CLASS_LOSSES
    aggregate = (metric.get("aggregate") or "default").replace("_", "-")
    try:
        return LossChoice(
            loss,
            None if by_class or aggregate == "default" else aggregate,
            None if by_class else case.get("attribute_weights"),
            metric.get("gs_factor", 0.5),
            not metric.get("monotonic", False),
        )
    except ValueError as error:
        raise NotAvailable(f"metric {metric['name']}: {error}") from None


def nodes(case: Mapping[str, Any], data: Data) -> Nodes:
    """A case as a lattice to be searched."""
    rows = table(case, data)
    whole = data.frame(f"{case['dataset']}.csv")
    built = Nodes(rows, criteria(case, whole), choice(case), int(case["suppression_limit"] * rows.rows))
    built.like_arx = True
    return built


def close(found: Any, expected: Any) -> bool:
    if isinstance(expected, Sequence):
        return len(found) == len(expected) and all(map(close, found, expected))
    return math.isclose(found, expected, rel_tol=CLOSE, abs_tol=1e-9)


def optimum(case: Mapping[str, Any], data: Data) -> dict[str, Any] | None:
    """What does not agree, or nothing."""
    space = nodes(case, data)
    found = search(Lattice(space.shape, space.floors(), space.space.compiled, space.usual_losses), space.look)
    expected = case["expected"]
    if found.node is None or expected.get("loss") is None:
        agrees = found.node is None and expected.get("loss") is None
        return None if agrees else {"found": found.node, "expected": expected}
    loss = space.loss.shown(found.score)
    lower = case.get("arx_practical_monotonicity") and np.all(np.less_equal(loss, expected["loss"]))
    if close(loss, expected["loss"]) or lower:
        return None
    return {"found": [list(found.node), loss], "expected": expected, "checked": found.checked}


def scores(case: Mapping[str, Any], data: Data) -> list[dict[str, Any]]:
    space = nodes(case, data)
    wrong = []
    for node, expected in case["scores"]:
        if len(node) != len(space.shape) or any(level >= size for level, size in zip(node, space.shape, strict=True)):
            wrong.append({"node": node, "reason": "no such node", "levels": list(space.shape)})
            continue
        found = space.loss.shown(space.score(tuple(node)))
        if not close(found, expected):
            wrong.append({"node": node, "found": found, "expected": expected})
    return wrong


def attempted(run: Callable[[Mapping[str, Any], Data], Any], case: Mapping[str, Any], data: Data) -> Any:
    """What does not agree, or why it could not be run. One case never ends the others."""
    try:
        return run(case, data)
    except NotAvailable as error:
        return {"reason": "not available", "what": str(error)}
    except (SharewellError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        return {"reason": "could not be run", "what": f"{type(error).__name__}: {error}"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.optima", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cases", type=Path, required=True, help="a file of cases")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data files and hierarchies")
    parser.add_argument("--json", action="store_true", help="print nothing but the summary")
    args = parser.parse_args()
    for path, what in ((args.cases, "no such file of cases"), (args.data, "no such folder of data")):
        if not path.exists():
            parser.error(f"{path} — {what}")
    listed, data = json.loads(args.cases.read_text(encoding="utf-8")), Data(args.data)
    tally: dict[str, Any] = {"matched": 0, "total": 0, "scores_matched": 0, "scores_total": 0, "mismatches": []}

    def told(run: Any, case: Mapping[str, Any]) -> Any:
        began = time.process_time()
        wrong = attempted(run, case, data)
        if not args.json:
            print(f"{case['id']:48} {time.process_time() - began:7.2f} CPU s  {wrong or 'agrees'}", flush=True)
        return wrong

    for case in listed.get("cases", []):
        wrong = told(optimum, case)
        tally["total"] += 1
        tally["matched"] += not wrong
        tally["mismatches"] += [{"id": case["id"], **wrong}] if wrong else []
    for case in listed.get("node_scores", []):
        wrong = told(scores, case)
        several = [wrong] if isinstance(wrong, dict) else wrong
        tally["scores_total"] += len(case["scores"])
        tally["scores_matched"] += 0 if isinstance(wrong, dict) else len(case["scores"]) - len(wrong)
        tally["mismatches"] += [{"id": case["id"], **one} for one in several]
    print(json.dumps(tally, default=str))
    return 0


if __name__ == "__main__":
    sys.exit(main())
