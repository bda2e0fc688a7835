"""The command line: one file for each verb, and each verb a thin wrapper over one library call.

Verbs of the pipeline are here; those of one kind of data are in its own `commands`. `sharewell.verbs` lists them all. A
verb's module is imported only when the verb is used, so that `sharewell --help` starts at once.
"""

from __future__ import annotations

import argparse
import importlib
import io
import json
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from sharewell.cli.argument_parser import ArgumentParser, command_parser
from sharewell.cli.interruption import STOPPED, prompt_interruption
from sharewell.verbs import VERBS

UNFORESEEN = 70
"""The exit code of a mistake of ours: not 1, which would be an answer."""


def parser(verb: str | None = None) -> ArgumentParser:
    """The parser; only the named verb gets its arguments, the others a line of help."""
    return command_parser(*([] if verb is None else [verb]))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; the exit code is 0 for yes, 1 for no, and an error's own code otherwise."""
    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a sign shows "?" instead of an error
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    from sharewell.cli.output import legible_streams

    with legible_streams():
        return _answer(list(sys.argv[1:] if argv is None else argv))


def _answer(given: list[str]) -> int:
    verb = next((word for word in given if not word.startswith("-")), None)
    top = parser(verb)
    if verb in VERBS:
        top.inner()[verb].refuse_unknown_options(given)
    args = top.parse_args(given)
    if args.version:
        from importlib.metadata import version

        print(version("sharewell"))
        return 0
    if args.verb is None:
        top.print_help()
        return 0
    return _run(args)


def _run(args: argparse.Namespace) -> int:
    """Run the verb. Of an unforeseen error only its type and place are printed: its message may quote a cell."""
    from sharewell.cli.late_step import late_step
    from sharewell.errors import DataError, SharewellError
    from sharewell.io.atomic import finished

    finished.clear()
    stderr = sys.stderr

    def stopped() -> None:
        print(f"sharewell {args.verb}: stopped; {_outcome()}", file=stderr, flush=True)

    try:
        with prompt_interruption(stopped), late_step(args):
            code = int(importlib.import_module(f"sharewell.{VERBS[args.verb].module}").run(args))
            sys.stdout.flush()
        return code
    except SharewellError as error:
        if getattr(args, "json", False):
            claim = {"error": type(error).__name__, "exit_code": error.exit_code, "message": str(error)}
            print(json.dumps(claim, ensure_ascii=False, indent=1))
        print(f"sharewell {args.verb}: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        stopped()
        return STOPPED
    except BrokenPipeError:  # the reader of our output left, e.g. `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.strerror is None:
            return _unforeseen(args.verb, error)
        print(f"sharewell {args.verb}: {error.filename or 'a file'} — {error.strerror}", file=sys.stderr)
        return DataError.exit_code
    except Exception as error:
        return _unforeseen(args.verb, error)


def _outcome() -> str:
    """What is in place although the verb was stopped: a rename may have come before."""
    from sharewell.io.atomic import finished

    return f"already finished: {', '.join(map(str, finished))}" if finished else "nothing was released"


def _unforeseen(verb: str, error: Exception) -> int:
    """A mistake of ours. With SHAREWELL_DEBUG set the whole traceback is shown, which may quote cells."""
    if os.environ.get("SHAREWELL_DEBUG"):
        raise error
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "sharewell" in frame.filename]
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "unknown"
    print(
        f"sharewell {verb}: unforeseen {type(error).__name__} at {place}; {_outcome()}"
        " — please report it; SHAREWELL_DEBUG=1 shows more, and may show values of the data",
        file=sys.stderr,
    )
    return UNFORESEEN
