"""The synthetic hospital: one frozen description, from which every table follows, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pyarrow as pa

from sharewell.errors import DataError
from sharewell.hospital.block import TABLES, Block
from sharewell.hospital.calendar import Window
from sharewell.hospital.illness import load_catalogue
from sharewell.hospital.patients import MOST
from sharewell.hospital.people import QUARTER
from sharewell.hospital.places import load_places
from sharewell.io.rowfile import HospitalFiles

BLOCK = 4_000  # patients a block: memory does not grow with the hospital
