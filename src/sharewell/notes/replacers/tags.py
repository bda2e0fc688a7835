"""Tags in the manner of DE-ID: what stood here, and for names which name, by a code of letters within one patient.

>>> tag("ID"), tag("PLACE"), tag("AGE")
('**ID-NUM', '**PLACE', '**AGE[over 89]')
>>> tag("DATE", "04/11/2015")
'**DATE[04/11/2015]'
"""

from __future__ import annotations

_WORDS = {
    "NAME": "NAME",
    "DATE": "DATE",
    "AGE": "AGE",
    "PLACE": "PLACE",
    "ADDRESS": "STREET-ADDRESS",
    "ORGANISATION": "INSTITUTION",
    "PHONE": "PHONE",
    "EMAIL": "EMAIL",
    "URL": "WEB-LOC",
    "IP": "IP-ADDRESS",
    "SSN": "SSN",
    "ID": "ID-NUM",
    "DRUG": "DRUG",
    "DOSE": "DOSE",
}


def tag(kind: str, inside: str = "") -> str:
    """The tag of a kind, with what may be said of the piece."""
    inside = inside or ("over 89" if kind == "AGE" else "")
    return f"**{_WORDS.get(kind, 'OTHER')}" + (f"[{inside}]" if inside else "")
