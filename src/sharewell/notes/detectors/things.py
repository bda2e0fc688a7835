"""Capitalised words that name no person: food, cars, shops' goods, germs, peoples, shorthand.

No dictionary of English has them, so that their letters alone would make names of them. The lists are general
knowledge; what is a frequent name of people as well is left out.
"""

from __future__ import annotations

from sharewell.notes.engine.word_lists import lexicon, listed

GOODS = lexicon("things_goods") - listed(
    "bird ford seat boost vital plum optima corona stella flora vision ferguson smiths mckinley jaguar"
)
"""Food, drink, cars, tools, games, and goods of the clinic."""
GERMS = lexicon("things_germs")
"""Germs, and places that only name a germ."""
PEOPLES = lexicon("things_peoples") - listed(
    "karen dakota meru mon chin shan cheyenne roma finn dane shona nama luo sidamo"
)
"""Faiths, peoples and languages."""
CLIPPED = lexicon("things_clipped")
"""Shorthand and words of the clinic that begin a sentence or a field."""
KITH = lexicon("things_kith") - listed("anna nana dada mama nani amo abi nine mang ate masi")
"""What kin are called, before a name or instead of it."""
_PAIRS = """
    charles bonnet, ivor lewis, braxton hicks, jobson horne, west haven, ross river, murray valley, barmah forest,
    austin flint, graham steell, argyll robertson, marcus gunn, ramsay hunt, pierre robin, treacher collins,
    prader willi, kaplan meier, guillain barre, brown sequard, von willebrand, von hippel, le fort, de quervain,
    grey turner, mary joseph, jackson pratt, spencer wells, neville barnes, gardner wells, austin moore,
    boston scientific, boston sci, gilles tourette, silver russell, russell viper, bence jones, stanford binet,
    rey complex, hopkins verbal, trail making, weight watchers, slimming world, little league, mountain dew, dr pepper,
    big mac, lorna doone, jack daniels, johnnie walker, jim beam, captain morgan, bloody mary, shirley temple,
    caesar salad, granny smith, mary jane, semmes weinstein, greulich pyle, tanner whitehouse, harris benedict,
    lund browder, rokitansky aschoff, panton valentine, scarff bloom, swyer james, keith wagener, bland altman,
    mann whitney, hardy weinberg, hosmer lemeshow, kruskal wallis, levey jennings, kirby bauer, mueller hinton,
    lowenstein jensen, ziehl neelsen, donath landsteiner, kleihauer betke, child pugh, hoehn yahr, clavien dindo,
    ferriman gallwey, fontaine rutherford, house brackmann, spetzler martin, hunt hess, lauge hansen, salter harris,
    kellgren lawrence, montgomery asberg, rumack matthew, fletcher suit, brandt daroff, dix hallpike, rift valley,
    lesch nyhan, wolff parkinson, parkinson white, charcot marie, marie tooth, kasabach merritt
    """
JOINED = frozenset(pair.strip() for pair in _PAIRS.split(","))
"""Two names in a row that medicine, or the shop, has made a thing."""
JOINED_FIRST = frozenset(pair.split()[0] for pair in JOINED)
THINGS = GOODS | GERMS | PEOPLES | CLIPPED | KITH
"""All of them."""
