"""The page for recipients is part of what `verify` verifies: edited, emptied or armed, it is found out."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from test_tampering import edit_certificate, rehash

from sharewell.pipeline.certificate import README, write_sums
from sharewell.pipeline.page_check import but_for_style, readme_problems
from sharewell.pipeline.verify import verify

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  d:
    kind: tables
    read: {csv: d.csv}
    columns: {sex: quasi, illness: sensitive}
    require: [k-anonymity: {k: 2}]
    using: mondrian
write: {csv: out}
"""


@pytest.fixture(scope="module")
def unsigned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small release that nobody signed: whoever edits it can make all hashes fit again."""
    import sharewell

    desk = tmp_path_factory.mktemp("desk")
    (desk / "d.csv").write_text("sex,illness\n" + "F,flu\nM,flu\n" * 4)
    (desk / "policy.yaml").write_text(POLICY)
    return Path(sharewell.release(desk / "policy.yaml").directory)


@pytest.fixture
def copy(unsigned: Path, tmp_path: Path) -> Path:
    """What a recipient has."""
    return Path(shutil.copytree(unsigned / "public", tmp_path / "r" / "public")).parent


def edited(release: Path, change: Callable[[str], str]) -> list[str]:
    page = release / "public" / README
    after = change(page.read_text("utf-8"))
    assert after != page.read_text("utf-8")
    page.write_text(after, "utf-8")
    return list(verify(release).problems)


def test_an_edited_page_is_found_by_its_hash(copy: Path) -> None:
    assert verify(copy).problems == ()
    found = edited(copy, lambda page: page.replace("must not be assumed", "may be assumed"))
    assert any(README in problem and "SHA256SUMS" in problem for problem in found)


@pytest.mark.parametrize(
    "change",
    [
        lambda page: page.replace("must not be assumed", "may be assumed"),
        lambda page: page.replace("</main>", "<script>1</script></main>"),
        lambda page: page.replace("<main>", '<main onclick="x">'),
        lambda page: page.replace("</main>", '<a href="x">here</a></main>'),
        lambda page: page.replace("form-action", "form-nothing"),
        lambda page: page.replace("</main>", "<!-- x --></main>"),
        lambda page: page.replace("--ink: #1d2733", "--ink: #ffffff"),
        lambda page: "",
    ],
    ids=["words", "script", "handler", "link", "content policy", "comment", "style", "empty"],
)
def test_an_edited_page_is_found_although_every_hash_fits(copy: Path, change: Callable[[str], str]) -> None:
    page = copy / "public" / README
    page.write_text(change(page.read_text("utf-8")), "utf-8")
    rehash(copy)
    found = verify(copy).problems
    assert any(problem.startswith(README) for problem in found), found


def test_of_a_page_of_another_version_only_the_form_is_judged(copy: Path) -> None:
    page = copy / "public" / README
    edit_certificate(copy, lambda c: c["versions"].update(sharewell="0.0.1"))
    page.write_text(page.read_text("utf-8").replace("must not be assumed", "was said otherwise then"), "utf-8")
    rehash(copy)
    assert not [problem for problem in verify(copy).problems if README in problem]
    page.write_text(page.read_text("utf-8").replace("</main>", "<script>1</script></main>"), "utf-8")
    rehash(copy)
    assert [problem for problem in verify(copy).problems if README in problem]


def test_a_release_without_the_page_verifies_as_before(copy: Path) -> None:
    """Releases of earlier versions have none; one from which it was taken away is not whole."""
    (copy / "public" / README).unlink()
    assert any(README in problem for problem in verify(copy).problems)
    rehash(copy)
    write_sums(copy / "public")
    assert not [problem for problem in verify(copy).problems if README in problem]


def test_a_damaged_certificate_is_not_asked_for_its_page(copy: Path) -> None:
    for odd in ({}, {"files": None}, {"files": []}):
        assert readme_problems(copy / "public", odd) == []
    assert but_for_style("no page") is None
