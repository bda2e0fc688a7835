"""`python -m sharewell` and the command `sharewell`: nothing else is imported before Ctrl-C has an answer."""

import os
import sys

# Arrow's own allocator gives the memory of every large column back at once and asks for it anew, which costs a release
# of a million rows a tenth of its time. Whoever sets another one keeps it.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


def main() -> int:
    """Run the command line; whoever stops it while it is still importing reads one line, not a traceback."""
    try:
        from sharewell.cli import main as answer

        return answer()
    except KeyboardInterrupt:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C finds us on the way out
        from sharewell.terminal_text import legible

        sys.stderr.write(legible(f"{_called()}: stopped; {_outcome()}") + "\n")
        return 130


def _called() -> str:
    """The command with its verb; a word that is none may hold anything, and is not repeated."""
    word = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    return f"sharewell {word}" if word.isascii() and word.isalpha() else "sharewell"


def _outcome() -> str:
    """A release that has its name is finished, whenever the signal came."""
    atomic = sys.modules.get("sharewell.io.atomic")
    finished = getattr(atomic, "finished", ())
    return f"already finished: {', '.join(map(str, finished))}" if finished else "nothing was released"


if __name__ == "__main__":
    sys.exit(main())
