"""A folder of notes, one a file (.txt, .rtf, .docx), as a table: `note` is the file's name, `text` what it says.

Who a note is about is in a table of its own with the columns `note` (the file's name, with or without its ending) and
`subject`; then the notes have a column `subject` too. Files are read in the order of their names.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.io.document_text import document_text
from sharewell.io.pieces import text_tables
from sharewell.io.plain_files import open_plain

if TYPE_CHECKING:
    import pyarrow as pa

NOTE, TEXT, SUBJECT = "note", "text", "subject"
ENDINGS = (".txt", ".rtf", ".docx")


@dataclass(frozen=True)
class NotesFolder:
    """A folder that exists, or a file that is one note."""

    path: Path
    label: str
    encoding: str | None = None
    """Of plain notes that are not valid UTF-8."""
    subjects: Mapping[str, str | None] | None = field(default=None, repr=False)
    """Note → subject, by the mapping table."""

    def names(self) -> list[str]:
        return [NOTE, TEXT] if self.subjects is None else [NOTE, SUBJECT, TEXT]

    def read(self, only: Sequence[str] | None = None) -> pa.Table:
        import pyarrow as pa

        return pa.concat_tables(self.pieces(only)).combine_chunks()

    def pieces(self, only: Sequence[str] | None = None, rows: int = 2048) -> Iterator[pa.Table]:
        """Arrow tables of text; at least one."""
        wanted, whose = self.names() if only is None else list(only), self._whose()

        def notes() -> Iterator[dict[str, str | None]]:
            for file in note_files(self.path):
                text = document_text(file, self.encoding) if TEXT in wanted else ""
                yield {NOTE: file.name, SUBJECT: whose.get(file.name), TEXT: text or None}

        yield from text_tables(notes(), wanted, rows)

    def _whose(self) -> Mapping[str, str | None]:
        """File name → subject. Every note must be somebody's, and every line of the mapping a note."""
        if self.subjects is None:
            return {}
        files = [file.name for file in note_files(self.path)]
        stems = Counter(Path(name).stem for name in files)
        results: dict[str, str | None] = {}
        used: set[str] = set()
        for name in files:
            stem = Path(name).stem
            key = name if name in self.subjects else stem if stems[stem] == 1 and stem in self.subjects else None
            if key is not None and self.subjects[key]:
                results[name] = self.subjects[key]
                used.add(key)
        if lacking := len(files) - len(results):
            problem = f"{lacking} of {len(files)} notes have no subject in the mapping table"
            raise DataError(f"{self.label} — {problem} — list every file with its subject")
        if unused := len(self.subjects) - len(used):
            problem = f"the mapping table lists {unused} note(s) that are not in the folder"
            raise DataError(f"{self.label} — {problem} — add the files, or take the lines out")
        return results

    def sha256(self, mapping: str | None = None) -> str:
        """One hash for all files: of a list of their hashes and names.

        mapping: the hash of the table that says whose the notes are; another mapping is another source.
        """
        lines = [] if mapping is None else [f"{mapping}  {SUBJECT}\n"]
        for file in note_files(self.path):
            with open_plain(file) as content:
                lines.append(f"{hashlib.file_digest(content, 'sha256').hexdigest()}  {file.name}\n")
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def note_files(path: Path) -> list[Path]:
    """The notes of a folder, by name; hidden files are passed over, anything else is refused. A file is one note."""
    if path.is_file():
        return [path]
    try:
        listed = sorted(one for one in path.iterdir() if not one.name.startswith("."))
    except OSError as error:
        raise DataError(f"{path.name} — cannot be read ({error.strerror})") from None
    notes = [one for one in listed if one.suffix.lower() in ENDINGS and one.is_file() and not one.is_symlink()]
    if not notes:
        raise DataError(f"{path.name} — a folder without a .txt, .rtf or .docx note — name the folder of the notes")
    if others := len(listed) - len(notes):
        problem = f"a folder of {len(notes)} note(s) and {others} other file(s) or folder(s)"
        raise DataError(f"{path.name} — {problem} — move what is no .txt, .rtf or .docx note out of it")
    return notes


def subject_mapping(notes: Sequence[str | None], subjects: Sequence[str | None], label: str) -> dict[str, str | None]:
    """Note → subject, from the columns of the mapping table."""
    twice = len(notes) - len(set(notes))
    if twice:
        raise DataError(f"{label} — {twice} note(s) are listed twice — list every note once")
    return {note: subject for note, subject in zip(notes, subjects, strict=True) if note is not None}
