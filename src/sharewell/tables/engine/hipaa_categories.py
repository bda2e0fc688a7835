"""What the HIPAA rules call a column: the words that policies use for it.

| category | what it is | Safe Harbor | Limited Data Set |
|---|---|---|---|
| `date` | a date related to the individual (admission, discharge, death) | the year | stays |
| `birth-date` | a date or year of birth | the year, unless it tells an age above 89 | stays |
| `age` | an age in years | `90+` above 89 | stays |
| `zip` | a US ZIP code | three digits where more than 20,000 people live, else `000` | stays |
| `geography` | a place smaller than a state (city, county, precinct) | removed | stays |
| `identifier` | a name, number, address, device, picture or other unique code of the person | removed | removed |
| `text` | free text, in which anything may stand | removed | removed |
| `other` | none of these | stays | stays |

That a column is `other` is never guessed: the steward says it, for the column or (`rest`) for all that are left. The
criteria believe it only as far as the cells, and the name of the column, do not contradict it. What is not named is
recognised, by mechanisms (`engine.protection.hipaa_recognition`) and by criteria (`engine.checks.hipaa_recognition`) in
ways of their own: a judge must not overlook what the judged overlooks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from sharewell.roles import Role

Category = Literal["date", "birth-date", "age", "zip", "geography", "identifier", "text", "other"]
PUBLISHED = (Role.QUASI, Role.SENSITIVE, Role.KEEP, Role.SHIFT, Role.TEXT)


def named_columns(names: Iterable[str]) -> str:
    """Names of columns in a message, not too many of them."""
    listed = list(names)
    more = len(listed) - 12
    return ", ".join(listed[:12]) + (f" and {more} more" if more > 0 else "")
