"""The dossier: one self-contained HTML page that a privacy officer files with a release."""

from sharewell.dossier.page import render

__all__ = ["render"]
