"""`verify` on a directory made by an enemy: it ends soon, in little memory, with a verdict and no traceback."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.cli import main
from sharewell.errors import DataError
from sharewell.io.plain_files import memory_limit
from sharewell.pipeline.certificate import file_hashes, write_sums
from sharewell.pipeline.verify import verify

EXAMPLES = Path(__file__).parents[2] / "examples"
KINDS = ("diagnoses", "reports", "reports-answers", "joint")
VERIFY_EACH = """
import sys
from sharewell.cli import main
codes = [main(["verify", one]) for one in sys.argv[1:]]
print("exit codes:", *codes)
"""


@pytest.fixture
def copy(small_demo: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_demo / "release", tmp_path / "release"))


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One release of several kinds."""
    place = tmp_path_factory.mktemp("examples")
    shutil.copytree(EXAMPLES, place / "examples")
    os.environ["SHAREWELL_KEY"] = "a secret for the examples, of no use elsewhere"
    found = {}
    for kind in KINDS:
        folder = place / "examples" / kind
        assert main(["release", str(folder / "policy.yaml")]) == 0
        (found[kind],) = (path for path in (folder / "out").iterdir() if path.is_dir())
    del os.environ["SHAREWELL_KEY"]
    return found


def verified(release: Path, *options: str, seconds: float = 120) -> int:
    """The exit code of a process of its own, which must end in time."""
    command = [sys.executable, "-m", "sharewell", "verify", str(release), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode


def each_verified(releases: Iterable[Path], seconds: float = 240) -> list[int]:
    """The exit codes of several releases, in one process of their own, which must end in time."""
    command = [sys.executable, "-c", VERIFY_EACH, *map(str, releases)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=True)
    assert "Traceback" not in done.stderr
    return [int(code) for code in done.stdout.splitlines()[-1].removeprefix("exit codes: ").split()]


def test_a_pipe_in_place_of_a_file_does_not_hang(small_release: Path, tmp_path: Path) -> None:
    names = ["SHA256SUMS", "certificate.json", "certificate.sig", "dictionary.json"]
    for name in names:
        public = shutil.copytree(small_release, tmp_path / name) / "public"
        (public / name).unlink()
        os.mkfifo(public / name)
    codes = each_verified(tmp_path / name for name in names)
    assert len(codes) == len(names)
    assert set(codes) <= {3, 5}


def test_neither_a_device_nor_a_file_that_claims_terabytes_is_read(small_release: Path, tmp_path: Path) -> None:
    device = shutil.copytree(small_release, tmp_path / "device")
    (device / "public" / "SHA256SUMS").unlink()
    (device / "public" / "SHA256SUMS").symlink_to("/dev/zero")
    names = ["SHA256SUMS", "certificate.json", "patients.parquet"]
    for name in names:
        with (shutil.copytree(small_release, tmp_path / name) / "public" / name).open("r+b") as file:
            file.truncate(20_000_000_000)
    codes = each_verified([device, *(tmp_path / name for name in names)])
    assert len(codes) == 1 + len(names)
    assert codes[0] == 5
    assert set(codes[1:]) <= {3, 5}


def test_a_small_file_that_unfolds_to_gigabytes_is_refused(copy: Path) -> None:
    path = copy / "public" / "patients.parquet"
    rows = 15_000_000
    table = pq.read_table(path)
    cell = pa.array([table["zip"][0].as_py() or "x"])
    constant = pa.DictionaryArray.from_arrays(pa.array([0] * 1000, pa.int32()), cell)
    with pq.ParquetWriter(path, pa.schema([(n, constant.type) for n in table.column_names])) as writer:
        chunk = pa.table({name: pa.chunked_array([constant] * 1000) for name in table.column_names})
        for _ in range(rows // len(chunk)):
            writer.write_table(chunk)
    assert path.stat().st_size < 5_000_000
    assert verified(copy) == 5, "the rows are not those of the certificate"
    edited(copy, lambda c: c["datasets"]["patients"].update(rows=rows))
    assert verified(copy, "--memory", "1") in (3, 5)


def edited(release: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """A certificate that was changed, with every hash made to fit again."""
    public = release / "public"
    content = json.loads((public / "certificate.json").read_text())
    change(content)
    content["files"] = file_hashes(public)
    (public / "certificate.json").write_text(json.dumps(content))
    write_sums(public)


def test_numbers_that_no_release_writes_are_refused(small_release: Path, tmp_path: Path) -> None:
    numbers = ["1e99999999999", "9" * 5000, "1e999", "NaN"]
    forged = [*numbers, *(f'{{"exact": "{number}"}}' for number in numbers)]
    for i, bound in enumerate(forged):
        certificate = shutil.copytree(small_release, tmp_path / str(i)) / "public" / "certificate.json"
        text = certificate.read_text()
        assert '"bound": 5' in text
        certificate.write_text(text.replace('"bound": 5', f'"bound": {bound}'))
    assert each_verified(tmp_path / str(i) for i in range(len(forged))) == [5] * len(forged)


def test_decimals_that_no_number_has_are_refused(releases: dict[str, Path], tmp_path: Path) -> None:
    def forge(certificate: dict[str, Any], decimals: int) -> None:
        for dataset in certificate["datasets"].values():
            for column in dataset["columns"].values():
                column["decimals"] = decimals

    odd = [10**11, -1, 19, 2**40]
    for decimals in odd:
        release = shutil.copytree(releases["reports-answers"], tmp_path / str(decimals))
        edited(release, partial(forge, decimals=decimals))
    assert each_verified(tmp_path / str(decimals) for decimals in odd) == [5] * len(odd)


@pytest.mark.parametrize(
    "forge",
    [
        lambda page: page.replace("<title>", "<title><style>", 1),
        lambda page: page.replace("<title>", "<title><style></title><p>All criteria hold.</p><title>", 1),
        lambda page: page.replace("</style>", "</style><p>All criteria hold.</p><style></style>", 1),
        lambda page: page.replace("<style>", "<style>body::after{content:'All criteria hold'}", 1),
        lambda page: "<style>" * 40_000 + page,
        lambda page: page + "<style>" * 40_000,
    ],
)
def test_nothing_hides_behind_the_style_of_a_page(
    releases: dict[str, Path], tmp_path: Path, forge: Callable[[str], str]
) -> None:
    release = Path(shutil.copytree(releases["reports"], tmp_path / "release"))
    (page,) = (path for path in (release / "public").iterdir() if path.suffix == ".html" and path.name != "README.html")
    page.write_text(forge(page.read_text()))
    edited(release, lambda c: None)
    assert any("does not say what" in problem for problem in verify(release).problems)


def places(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path, *(place for key, child in children for place in places(child, (*path, key)))]


ODD: tuple[Any, ...] = (
    None,
    5,
    -1,
    10**30,
    0.5,
    "",
    "x",
    "1e9999999",
    [],
    [[]],
    {},
    {"x": 1},
    True,
    "\x1b[2J",
    "../../x",
)


@pytest.mark.parametrize("kind", ["tables", *KINDS])
def test_any_edit_of_a_certificate_gives_a_verdict(
    releases: dict[str, Path], small_demo: Path, tmp_path: Path, kind: str, full_size: bool
) -> None:
    """Never an unforeseen error: what is damaged is said to be so, and nothing that differs verifies silently."""
    source = small_demo / "release" if kind == "tables" else releases[kind]
    release = Path(shutil.copytree(source, tmp_path / "release"))
    path = release / "public" / "certificate.json"
    whole = path.read_text()
    rng = random.Random(kind)
    for _ in range(25 if full_size else 10):
        content = json.loads(whole)
        place = rng.choice([one for one in places(content) if one])
        inner = content
        for key in place[:-1]:
            inner = inner[key]
        if rng.random() < 0.3:
            del inner[place[-1]]
        else:
            inner[place[-1]] = rng.choice(ODD)
        path.write_text(json.dumps(content))
        assert verify(release).problems, place


def test_the_limit_of_memory_ends_with_the_block() -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(DataError, match="ask for less"), memory_limit(1, "ask for less"):
        bytearray(3 << 30)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_what_a_process_holds_already_does_not_count() -> None:
    held = bytearray(2 << 30)
    with memory_limit(1, "never said"):
        more = bytearray(1 << 29)
    assert len(held) == 4 * len(more)
