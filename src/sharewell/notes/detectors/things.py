"""Capitalised words that name no person: food, cars, shops' goods, germs, peoples, shorthand.

No dictionary of English has them, so that their letters alone would make names of them. The lists are general
knowledge; what is a frequent name of people as well is left out.
"""

from __future__ import annotations

from sharewell.notes.engine.word_lists import lexicon

GOODS = lexicon("things_goods")
"""Food, drink, cars, tools, games, and goods of the clinic."""
GERMS = lexicon("things_germs")
"""Germs, and places that only name a germ."""
PEOPLES = lexicon("things_peoples")
"""Faiths, peoples and languages."""
CLIPPED = lexicon("things_clipped")
"""Shorthand and words of the clinic that begin a sentence or a field."""
KITH = lexicon("things_kith")
"""What kin are called, before a name or instead of it."""
JOINED = frozenset(pair.replace("_", " ") for pair in lexicon("things_pairs"))
"""Two names in a row that medicine, or the shop, has made a thing."""
JOINED_FIRST = frozenset(pair.split()[0] for pair in JOINED)
THINGS = GOODS | GERMS | PEOPLES | CLIPPED | KITH
"""All of them."""
