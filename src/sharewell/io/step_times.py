"""How long each step of a command took the last time, so that the next run of the same policy can say it beforehand.

One small file in the user's cache for each policy. It holds seconds under hashes of the steps' names, and nothing else.
Where nothing can be read or written, nothing is known.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

LEAST = 2.0
"""Seconds: shorter steps need no estimate, and are not kept."""
_MOST_FILES = 100
_MOST_STEPS = 200


@dataclass
class StepTimes:
    """Seconds of steps, of one policy."""

    file: Path
    seconds: dict[str, float] = field(default_factory=dict)
    """By the hash of a step's name."""
    changed: bool = False

    @classmethod
    def of(cls, path: Path) -> StepTimes:
        """What is known of the last run of what stands in this file."""
        name = hashlib.sha256(str(path.resolve()).encode(errors="surrogateescape")).hexdigest()[:32]
        file = users_cache() / "sharewell" / "steps" / f"{name}.json"
        try:
            kept = json.loads(file.read_bytes())
            seconds = {str(step): float(value) for step, value in kept.items() if 0 < float(value) < 1e7}
        except (OSError, RuntimeError, ValueError, TypeError, AttributeError):
            return cls(file)
        return cls(file, seconds)

    def last(self, step: str) -> float | None:
        """Seconds that this step took the last time; None if that is not known, or was hardly a wait."""
        return self.seconds.get(_hashed(step))

    def add(self, step: str, seconds: float) -> None:
        known = _hashed(step)
        if seconds >= LEAST:
            self.seconds[known] = round(seconds, 1)
        elif known not in self.seconds:
            return
        else:
            del self.seconds[known]
        self.changed = True

    def save(self) -> None:
        """Keep them, if that is possible here; of many policies those that were used last."""
        if not self.changed:
            return
        with suppress(OSError, RuntimeError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            others = sorted(self.file.parent.glob("*.json"), key=lambda file: file.stat().st_mtime)
            for old in others[:-_MOST_FILES]:
                old.unlink(missing_ok=True)
            kept = dict(list(self.seconds.items())[-_MOST_STEPS:])
            written = self.file.with_suffix(f".{os.getpid()}")
            written.write_text(json.dumps(kept), encoding="ascii")
            written.replace(self.file)


def users_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _hashed(step: str) -> str:
    return hashlib.sha256(step.encode(errors="surrogateescape")).hexdigest()[:16]
