"""Other spellings of a text, as typists and programs leave them."""

import random

INVISIBLE = "\u200b\u200d\u2060\ufeff\u00ad\x00\ufe0f"


def respelt(text: str, seed: int) -> str:
    """Another spelling by chance: of case, of width, of blanks around and between, with invisible characters."""
    draw = random.Random(seed)
    signs: list[str] = []
    for sign in text:
        sign = draw.choice([sign, sign.upper(), sign.lower()])
        if "!" <= sign <= "~" and draw.random() < 0.2:
            sign = chr(ord(sign) + 0xFEE0)  # full width
        if sign == " ":
            sign = draw.choice([" ", "  ", "\u00a0", "\t"])
        signs += [sign, draw.choice(INVISIBLE)] if draw.random() < 0.15 else [sign]
    around = ["", "", " ", "\u00a0", "\u200b"]
    return draw.choice(around) + "".join(signs) + draw.choice(around)
