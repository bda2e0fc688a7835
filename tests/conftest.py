"""What several tests share: a small synthetic hospital, one finished release of it, and the agreed behaviour."""

from __future__ import annotations

import gc
import hashlib
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from functools import cache, lru_cache
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from filelock import FileLock
from golden.store import Golden
from hypothesis import HealthCheck, is_hypothesis_test, settings

from sharewell.errors import MissingExtra

# Linear algebra in one thread: the matrices are small, and each worker has a processor of its own. On a busy machine,
# threads that wait for each other burn forty times the work. Nothing has imported numpy yet.
for _threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

# A busy machine is no defect: neither a slow example nor slow generation fails a test.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

PART = 4
"""A run tries this part of the examples of each property, other ones in every run."""
FEWEST = 10
MOST = 100
WORLDS = 100
"""And this part of random worlds and of other long samples (`cases`)."""
FEWEST_WORLDS = 25
PATIENTS = 100
"""Of the small hospital. Of much fewer, no eleven are alike in all that the demo's joint criteria tell an attacker."""

collect_ignore_glob = ["*conftest.py"]  # they hold fixtures, not examples, and share one name


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A directory that is made by the first process that asks for it, and shared by all of one run."""
    base = factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    directory, ready = base / name, base / f"{name}.ready"
    with FileLock(base / f"{name}.lock"):
        if not ready.exists():
            shutil.rmtree(directory, ignore_errors=True)  # whoever began it failed
            make(directory)
            ready.touch()
    return directory


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write tests/golden/*.json anew")
    parser.addoption("--other-versions", action="store_true", help="agreed bytes are of other packages: do not compare")
    parser.addoption("--full-size", action="store_true", help="properties and random worlds alone, with every example")
    parser.addoption("--every-text", action="store_true", help="look for spans in every marked text")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Tests have no examples in their docstrings; what they share may."""
    found = yield
    is_test = file_path.name.startswith("test_")
    return [one for one in found if not (is_test and isinstance(one, DoctestModule))]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Fewer examples of each property; at full size all of them, and nothing else (`make bench BENCH=properties`)."""
    functions = [item for item in items if isinstance(item, pytest.Function)]
    if config.getoption("--full-size"):
        items[:] = [one for one in functions if is_hypothesis_test(one.obj) or "full_size" in one.fixturenames]
        return
    for test in {one.function for one in functions if is_hypothesis_test(one.obj)}:
        name = "_hypothesis_internal_use_settings"  # hypothesis has no public way to ask a test for its settings
        own = getattr(test, name, None) or settings()
        some = min(MOST, max(FEWEST, own.max_examples // PART))
        setattr(test, name, settings(own, max_examples=min(own.max_examples, some)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """With other versions, the core alone among them, what asks for a package that is not there is not tested."""
    try:
        return (yield)
    except MissingExtra as error:
        if item.config.getoption("--other-versions"):
            pytest.skip(str(error))
        raise


@pytest.fixture(scope="session")
def full_size(request: pytest.FixtureRequest) -> bool:
    """Is all to be tried that a test can try? Otherwise it takes a part, evenly."""
    return bool(request.config.getoption("--full-size"))


@pytest.fixture
def cases(full_size: bool) -> Callable[[int], int]:
    """How many of so many random cases to try."""
    return lambda most: most if full_size else max(FEWEST_WORLDS, most // WORLDS)


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: no search for garbage need pass it again, or be so frequent."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session")
def golden(request: pytest.FixtureRequest) -> Golden:
    """The agreed behaviour (tests/golden)."""
    write = request.config.getoption("--write-golden")
    if write and hasattr(request.config, "workerinput"):
        pytest.fail("--write-golden needs one process: leave out -n")
    return Golden(write, compare=not request.config.getoption("--other-versions"))


def fixed_bytes(length: int | None = None) -> bytes:
    """In place of `secrets.token_bytes`, for tests alone: the same bytes, whoever asks and how often."""
    return hashlib.shake_256(b"a secret for tests, of no use elsewhere").digest(length or 32)


@pytest.fixture(scope="session", autouse=True)
def known_keys() -> Iterator[None]:
    """Secrets become keys through a slow function, and most tests share a few: it is computed once for each of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hashlib.scrypt", cache(hashlib.scrypt))
        yield


@pytest.fixture(scope="session", autouse=True)
def _known_texts() -> Iterator[None]:
    """Dozens of tests verify copies of one release: what its notes say of ages is read once for each note."""
    from sharewell.notes.criteria import text_agrees_with_table as judge

    with pytest.MonkeyPatch.context() as patch:
        for reads in (judge.ages_beside_persons, judge.said_of_somebody, judge.years_of_birth):
            patch.setattr(judge, reads.__name__, lru_cache(2_000)(reads))
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_power_is_lost() -> Iterator[None]:
    """Nobody waits for the disk. What must outlast a loss of power is tested in processes of its own, which do wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda handle: None)
        yield


@pytest.fixture(scope="session")
def _every_world() -> int:
    from sharewell.tables import wing

    return wing._WORLDS


@pytest.fixture(scope="session", autouse=True)
def _few_worlds(_every_world: int) -> Iterator[None]:
    """One attack on every table re-runs its mechanism in two dozen worlds, half the time of a small release: in two."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sharewell.tables.wing._WORLDS", 2)
        yield


@pytest.fixture
def every_world(_every_world: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that look at what the attack finds. Nothing of that is published."""
    monkeypatch.setattr("sharewell.tables.wing._WORLDS", _every_world)


@pytest.fixture
def no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Releases without a key of their own take a fixed one, so that their bytes can be compared."""
    monkeypatch.setattr("secrets.token_bytes", fixed_bytes)


def fixed_pair(stem: Path) -> None:
    """STEM.key and STEM.pub, the same each time."""
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(fixed_bytes())
    private = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    stem.with_suffix(".key").touch(0o600)
    stem.with_suffix(".key").write_bytes(private)
    public = key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
    stem.with_suffix(".pub").write_bytes(public)


@pytest.fixture(scope="session")
def small_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo directory with hospital, fixed keys, policy and release; tests must not change it."""
    from sharewell.pipeline.demo import demo

    def make(directory: Path) -> None:
        directory.mkdir()
        (directory / "release.key").touch(0o600)
        (directory / "release.key").write_text(fixed_bytes().hex() + "\n")
        fixed_pair(directory / "steward")
        demo(directory, patients=PATIENTS)

    return made_once(tmp_path_factory, "shared-demo", make)


@pytest.fixture(scope="session")
def small_release(small_demo: Path) -> Path:
    return small_demo / "release"
