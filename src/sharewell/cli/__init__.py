"""The command line: one file for each verb, and each verb a thin wrapper over one library call.

Verbs of the pipeline are here; those of one kind of data are in its own `commands`, which the registry names. A verb's
module is imported only when the verb is used, so that `sharewell --help` starts at once.
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
from types import ModuleType

from sharewell import registry

VERBS = {
    "init": "look at files and propose a commented draft policy",
    **{name: verb.summary for name, verb in registry.VERBS.items()},
    "check": "find every mistake in a policy, each with its line",
    "plan": "say what a release would do, and the risks before; changes nothing",
    "compare": "put criteria and mechanisms side by side: risk against loss, as a map",
    "release": "protect, write, verify, attack, measure, certify",
    "verify": "re-check a release from its files",
    "approve": "sign a policy or a finished release as a second person",
    "keygen": "make a signing key pair, or the secret key of a release",
    "catalogue": "list every criterion, mechanism, attack and measure",
    "profiles": "list the named sets of thresholds, with citations",
    "hierarchy": "look for gaps in a hierarchy, or show what covers a value",
    "schema": "print the JSON Schema of the policy file, for editors",
    "demo": "make a synthetic hospital and release it",
    "hospital": "write a synthetic hospital of any size",
}


UNFORESEEN = 70
"""The exit code of a mistake of ours: not 1, which would be an answer."""


def parser(verb: str | None = None) -> argparse.ArgumentParser:
    """The parser; only the named verb gets its arguments, the others a line of help."""
    top = argparse.ArgumentParser(prog="sharewell", description="Share patient data, well.")
    top.add_argument("--version", action="store_true", help="print the version and stop")
    subs = top.add_subparsers(dest="verb", metavar="VERB")
    for name, summary in VERBS.items():
        sub = subs.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        if name == verb:
            _module(name).arguments(sub)
    return top


def _module(verb: str) -> ModuleType:
    owner = registry.VERBS.get(verb)
    return importlib.import_module(f"sharewell.{owner.module}" if owner else f"sharewell.cli.{verb}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; the exit code is 0 for yes, 1 for no, and an error's own code otherwise."""
    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a sign shows "?" instead of an error
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    from sharewell.cli.output import legible_streams

    with legible_streams():
        return _answer(list(sys.argv[1:] if argv is None else argv))


def _answer(given: list[str]) -> int:
    verb = next((word for word in given if word in VERBS), None)
    top = parser(verb)
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
    """Run the verb. What was not foreseen is told by its kind and place alone: its message may quote a cell."""
    from sharewell.errors import DataError, SharewellError
    from sharewell.io.atomic import finished

    finished.clear()
    try:
        code = int(_module(args.verb).run(args))
        sys.stdout.flush()
        return code
    except SharewellError as error:
        if getattr(args, "json", False):
            told = {"error": type(error).__name__, "exit_code": error.exit_code, "message": str(error)}
            print(json.dumps(told, ensure_ascii=False, indent=1))
        print(f"sharewell {args.verb}: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print(f"sharewell {args.verb}: stopped; {_outcome()}", file=sys.stderr)
        return 130
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
