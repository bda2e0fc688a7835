"""Progress of known size comes with an estimate."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell import progress
from sharewell.io.step_paces import StepPaces
from sharewell.io.step_times import StepTimes
from sharewell.progress import PartsOf, ProgressStep, SizedStep, TimedSteps, counter, heard, within


def test_the_estimate_takes_parts_to_be_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.0, 10.0, 30.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    told: list[str] = []
    begin = PartsOf("attacking d", 3, told.append)
    for name in ("linkage", "homogeneity", "prosecutor"):
        begin(name)
    assert told == [
        "attacking d: linkage (1 of 3)",
        "attacking d: homogeneity (2 of 3), about 20 s left",
        "attacking d: prosecutor (3 of 3), about 15 s left",
    ]
    assert [(one.done, one.total) for one in told if isinstance(one, ProgressStep)] == [(0, 3), (1, 3), (2, 3)]


def test_a_step_within_another_keeps_its_numbers() -> None:
    told: list[str] = []
    step = within("patients", told.append)
    step("reading")
    step(ProgressStep.of("protecting", 5, 10, 1.0))
    assert told == ["patients: reading", "patients: protecting: 5 of 10, 5 a second, 1 s left"]
    assert isinstance(told[1], ProgressStep)
    assert (told[1].what, told[1].done, told[1].total) == ("patients: protecting", 5, 10)


def test_a_release_says_how_far_it_is(tmp_path: Path) -> None:
    import sharewell

    (tmp_path / "d.csv").write_text("id,age,ill\n" + "".join(f"p{i},{20 + i},{'ab'[i % 2]}\n" for i in range(12)))
    (tmp_path / "policy.yaml").write_text(
        "sharewell: 1\nrelease: {name: r}\ndatasets:\n  d:\n    kind: tables\n    read: {csv: d.csv}\n"
        "    columns: {id: subject, age: quasi, ill: sensitive}\n    require: [k-anonymity: {k: 2}]\n"
        "    using: mondrian\n    attacks: [homogeneity]\n    utility: [ncp, discernibility]\nwrite: {csv: out}\n"
    )
    told: list[str] = []
    sharewell.release(tmp_path / "policy.yaml", progress=told.append)
    sized = [one for one in told if isinstance(one, ProgressStep)]
    attacked = [one for one in sized if one.what == "attacking and measuring d"]
    assert [one.done for one in attacked] == list(range(attacked[0].total))
    assert [one.done for one in sized if one.what == "verifying the written files"] == [0, 1]
    assert [one.split(" (")[0] for one in attacked[-2:]] == [
        f"{attacked[0].what}: {n}" for n in ("ncp", "discernibility")
    ]


def test_a_step_of_unknown_length_says_what_it_took_the_last_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    now = 0.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)

    def run() -> list[str]:
        nonlocal now
        told: list[str] = []
        steps = TimedSteps(told.append, StepTimes.of(tmp_path / "policy.yaml"))
        for text, seconds in (
            ("reading d", 0.3),
            ("protecting d", 75.0),
            (ProgressStep.part("attacking d", "linkage", 0, 2, 0.0), 4.0),
            (ProgressStep.part("attacking d", "homogeneity", 1, 2, 4.0), 4.0),
            ("writing the dossier", 5.0),
        ):
            steps.step(text)
            now += seconds
        steps.end()
        return told

    parts = ["attacking d: linkage (1 of 2)", "attacking d: homogeneity (2 of 2), about 4 s left"]
    assert run() == ["reading d", "protecting d", *parts, "writing the dossier"]
    assert run() == [
        "reading d",
        "protecting d (last time: 1 min)",
        *parts,
        "writing the dossier (last time: 5 s)",
    ]


def test_a_first_run_says_about_how_long_a_step_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of work whose pace is known; of a short one and of an unknown one it says nothing."""
    paces = StepPaces(shipped={"reading tables": [(1000.0, 4.0)], "linkage of tables": [(1000.0, 30.0)]})
    told: list[str] = []
    steps = TimedSteps(told.append, paces=paces)
    steps.step(SizedStep.of("reading a", "reading tables", 5000))
    steps.step(SizedStep.of("reading b", "reading tables", 100))
    steps.step(SizedStep.of("writing a", "writing tables", 5000))
    begin = PartsOf("attacking a", 2, steps.step)
    begin("linkage", "linkage of tables", 2000)
    steps.end()
    assert told == [
        "reading a (about 20 s)",
        "reading b",
        "writing a",
        "attacking a: linkage (1 of 2), about 1 min for this",
    ]


def test_an_earlier_step_of_the_same_run_gives_the_pace() -> None:
    now = 0.0
    told: list[str] = []
    steps = TimedSteps(told.append, paces=StepPaces(), clock=lambda: now)
    steps.step(SizedStep.of("reading a", "reading tables", 1000))
    now += 5.0
    steps.step(SizedStep.of("reading b", "reading tables", 3000))
    assert told == ["reading a", "reading b (about 15 s)"]


def test_a_step_within_another_keeps_its_size() -> None:
    told: list[str] = []
    within("patients", told.append)(SizedStep.of("reading", "reading tables", 7))
    step = told[0]
    assert isinstance(step, SizedStep)
    assert (str(step), step.work, step.amount) == ("patients: reading", "reading tables", 7)


def test_loops_count_where_somebody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(clock)))
    told: list[str] = []
    steps = TimedSteps(told.append, clock=lambda: 0.0)
    steps.step("protecting a")
    with heard(steps.count):
        count = counter("nodes", 10)
        for _ in range(5):
            count(2)
    counter("nodes", 10)(5)  # nobody listens any more
    assert told == [
        "protecting a",
        "protecting a: 2 of 10 nodes, 2 a second, 4 s left",
        "protecting a: 4 of 10 nodes, 2 a second, 3 s left",
        "protecting a: 6 of 10 nodes, 2 a second, 2 s left",
        "protecting a: 8 of 10 nodes, 2 a second, 1 s left",
        "protecting a: 10 of 10 nodes, 2 a second",
    ]


@pytest.mark.parametrize(
    ("using", "unit"), [("k-member", "rows"), ("{optimal-recoding: {}}", "nodes")], ids=["clusters", "lattice"]
)
def test_mechanisms_count_what_they_do(using: str, unit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sharewell

    monkeypatch.setattr(progress.counter, "__defaults__", (0.0,))
    rows = [f"p{i},{20 + i % 37},{i % 11},{i % 5},{'ab'[i % 2]}" for i in range(400)]
    (tmp_path / "d.csv").write_text("\n".join(["id,age,b,c,ill", *rows]) + "\n")
    (tmp_path / "policy.yaml").write_text(
        "sharewell: 1\nrelease: {name: r}\ndatasets:\n  d:\n    kind: tables\n    read: {csv: d.csv}\n"
        "    columns: {id: subject, age: quasi, b: quasi, c: quasi, ill: sensitive}\n"
        f"    require: [k-anonymity: {{k: 4}}]\n    using: {using}\nwrite: {{csv: out}}\n"
    )
    counted: list[tuple[str, int, int]] = []
    with heard(lambda what, done, total, seconds: counted.append((what, done, total))):
        sharewell.release(tmp_path / "policy.yaml")
    shares = [done for what, done, total in counted if what == unit and done <= total]
    assert shares
    assert max(shares) > 0
