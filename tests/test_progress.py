"""Progress of known size comes with an estimate."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell import progress
from sharewell.io.step_times import StepTimes
from sharewell.progress import ProgressStep, TimedSteps, parts_of, within


def test_the_estimate_takes_parts_to_be_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.0, 10.0, 30.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    told: list[str] = []
    begin = parts_of("attacking d", 3, told.append)
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
