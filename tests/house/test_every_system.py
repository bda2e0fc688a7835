"""The code runs on Linux, macOS and Windows: what only some of them have is used in one module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from house.source_text import nodes_naming

SOURCE = Path(__file__).parents[2] / "src" / "sharewell"
FILES = sorted(SOURCE.rglob("*.py"))
THE_ONE = SOURCE / "io" / "operating_system.py"
MODULES = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "posix", "readline", "syslog", "curses"}
NAMES = {
    "os": {
        *("fork", "forkpty", "getuid", "geteuid", "getgid", "getegid", "setsid", "killpg", "chown", "fchown", "fchmod"),
        *("mkfifo", "mknod", "nice", "uname", "wait", "getloadavg", "sched_getaffinity", "sysconf", "pread", "pwrite"),
        *("O_NONBLOCK", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_SYNC", "open"),
    },
    "signal": {"SIGKILL", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGPIPE", "SIGCHLD", "alarm", "setitimer"},
    "socket": {"AF_UNIX"},
    "tempfile": {"NamedTemporaryFile"},  # Windows opens it only once
    "mmap": {"PROT_READ", "MAP_SHARED", "MAP_PRIVATE"},
}
"""`os.open` is among them since its handles translate line ends on Windows unless they are told not to."""
ALLOWED = {("cli/__init__.py", "os.open")}
"""The null device has no line ends."""


def test_what_only_some_systems_have_is_used_in_one_module() -> None:
    for path in FILES:
        if path != THE_ONE:
            for place, used in _not_everywhere(path):
                assert (path.relative_to(SOURCE).as_posix(), used) in ALLOWED, (
                    f"{place}: {used} — put it into io/operating_system.py"
                )


def _not_everywhere(path: Path) -> Iterator[tuple[str, str]]:
    """What a file uses that only some systems have, and where."""
    for node in nodes_naming(path, {*MODULES, *NAMES}):
        used: set[str] = set()
        if isinstance(node, ast.Import):
            used = MODULES & {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = str(node.module)
            names = {alias.name for alias in node.names}
            used = {module} & MODULES or {f"{module}.{name}" for name in NAMES.get(module, set()) & names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used = {f"{node.value.id}.{name}" for name in NAMES.get(node.value.id, set()) & {node.attr}}
        yield from ((f"{path}:{getattr(node, 'lineno', 0)}", one) for one in used)


def test_no_text_is_read_or_written_in_the_encoding_of_the_machine() -> None:
    """`read_text()` and `open("w")` without an encoding are cp1252 on one machine and UTF-8 on another."""
    calls = [(path, node) for path in FILES for node in nodes_naming(path, {"read_text", "open"})]
    for path, node in calls:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        named = {keyword.arg for keyword in node.keywords}
        if node.func.attr == "read_text":
            assert node.args or "encoding" in named, f"{path}:{node.lineno}"
        if node.func.attr == "open" and isinstance(node.func.value, ast.Name | ast.Attribute):
            modes = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if any(set(mode) <= set("rwax+t") for mode in modes):
                assert "encoding" in named, f"{path}:{node.lineno}"
