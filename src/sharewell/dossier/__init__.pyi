# Written by `make stubs`; do not edit.
from sharewell.dossier.page import render as render
