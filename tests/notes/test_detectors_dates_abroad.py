"""Dates of many countries, feasts and note forms, telephone numbers of the world, and what only looks like them."""

from __future__ import annotations

import pytest
from marked_text import Together, parts

from sharewell.notes.engine.spans import tokens
from sharewell.notes.matcher.matching import RuleDetector

DATES = """
Vu le [12 octobre 2021], contrôle en [janvier 2022], vacances en [août]
Aufnahme am [3. Februar 2020], Entlassung [07.02.2020], Kontrolle am [21.3.]
ingresó el [4 de marzo de 2019]; alta [9 de marzo]
ricoverato il [17 maggio 2022], rivalutato il [2 giugno]
opname [11 maart 2018], ontslag [15-03-2018]
przyjęty [5 stycznia 2021], wypis [8.I.2021]
Seen [9 Ramadan 1443] at the clinic; born [3/11/2535] by the Thai card
来院 [2020年11月3日], 再診 [12月1日]
DOB [12 03 1956]; b. [4/9/44]; geb. [190750]
Exp [11/26]; expires [2026-03]; use by [04/2027]
[2022-05-17T08:14] result, [20220517081412] sent, [20220517] printed
admitted [17APR22], d/c [Apr-21], seen [4-Nov]
on the night of [3rd/4th May]; between [2 and 9 June]; [5, 12 and 19 July]
[June 3, 4 and 5] he was absent; [Sept 30-Oct 2] away
seen on [the 4th], sutures out [the 11th]. Home by [the 21st]?
died [the 9th]; the funeral is [the 16th] at noon
clinic moved to [22nd], review [30th].
Next [3/12], MDT [14/5]. Bloods [2/10], fine
[6/2]: afebrile, walking
[7/2] – drain out
missed [10/10] and [17/10]; stent from [12/3-12/9]
court on [5/11]; hearing [1/6]; last fill [2/20]; relook [8/15]
lmp [mid-march]; edd [early november]; mri in [february]
back in [may]. started last [march], stopped in [april]
RTC IN [MAY], SEEN IN [DECEMBER], LAST FIT [OCTOBER]
fell on [Boxing Day], seen before [Eid al-Adha], after [Diwali] and on [Good Friday]
since [Chuseok]; over [Songkran]; at [Nowruz]; for [Rosh Hashanah] and [Yom Kippur]
burnt on [Bonfire Night]; drunk at [Hogmanay]; off for [Passover], [Purim] and [Pesach]
on [Thanksgiving Day] 2022; the [4th of July] picnic; [Fourth of July]
on [Midsummer's Day]; by [Michaelmas]; [Shrove Tuesday]; [St. Patrick's Day]
[Martin Luther King Day], [MLK Day], [Presidents' Day], [Indigenous Peoples' Day]
[Waitangi Day], [Melbourne Cup Day], [Victoria Day weekend], [August bank holiday]
the [Queen's Birthday] weekend; [Whit Monday]; [Raksha Bandhan]; [Holi]
[Ascension Day], [Corpus Christi], [Vesak], [Lunar New Year], [Tết holiday]
in [summer 2019], [Q3 2021], [Christmas 2018], [Easter '19]
dictated [the third of march twenty twenty], and [march fourth]
she came on [Tues 4/5], [Thu 7th], [Sat 12/10] and [Mon, 3 Feb]
dos [07-15], note of [9-27], adm [10-16] 2255 via ED
T: [11/08/22] 14:05, op [8.11.22], [9.30.22]
""".strip().splitlines()

NO_DATES = """
Power 4/5 R, 5/5 L; reflexes 2/4; murmur 3/6; pain 7/10 now 3/10
6/9 right, 6/12 left, N5 both; 20/40; Ishihara 15/17
0.9% saline 1/2 strength; 1/2 NS at 75; 3/4 full; 24/7 care
MMSE 22/30, Barthel 14/20, CFS 5, EPDS 11/30, Epworth 12/24, GCS 13/15
3/52 review, 2/7 of fever, 6/12 course
the 5th metatarsal, the 2nd and 3rd toes, the 7th rib, the 6th nerve, the 3rd time
her 4th pregnancy, 2nd dose, 5th percentile, 9th floor, 1st degree block
may have, might march, she may go; they may; marching; decreased; it may help
OCT shows fluid; MAR reviewed; SAT 94 on air
1.2.3 dictated, v2.1.10, section 3.4.1, ratio 1:3
since 2011, in the 1990s, 2019-2021, winter cough, summer camp
at 0730, 14:20, 7 pm, q4h, 3 days ago, last week, tomorrow
a Christmas tree, Christmas sherry, Easter eggs, Halloween candy
range 3-5, 2-4 tabs, 5-10 mg, L4-5, T11-12, 4-6 weeks, 2-3 times
Apgars 8/9, 9/10; stage 3/4; 3/3 cultures; 2/2 bottles
""".strip().splitlines()

PHONES = """
Tel. [030/5550 192] oder [0171-555 01 92], Fax [-193]
appelez le [06 12 34 56 78] ou [01.55.50.19.20]
llame al [612 34 56 78], fijo [915 550 192]
ligue [(11) 95550-1920] ou [11 3555-0192]
bel [020-555 0192] of [06-55501920]
ring [+353 87 555 0192] or [(01) 555 0192]
+44 form: [+44 (0)20 7946 0192], [0044 20 7946 0192]
Mumbai: [98205 50192], [022-2555 0192]; [+91-98205-50192]
手机 [138 0555 0192]; Tokyo [03-5550-0192]
call [8 (495) 555-01-92] in Moscow
AU [(03) 5550 0192], [0491 570 192], [1300 555 019]
NZ [021 555 019], [09 555 0192]
SA [082 555 0192], NG [0803 555 0192], KE [0722 555 019]
US [503.555.0192], [(503)555-0192], [1-503-555-0192 ext. 44], [503/555-0192]
toll free [1-800-GET-WELL] or [1-888-555-0192]
bleep [2217], pager [#4471], ext. [55019], dect [7719], ascom [33817]
text HELP to [88202]; area code [503]
B. Quack RN [x4471]
my number is [five oh three, five five five, oh one nine two]
cell ends, phone ending in [0192]
""".strip().splitlines()

NO_PHONES = """
call 911, 999 or 112; press 1; page 3 of 12; paged at 0430
BP 120 80 72, 500 250 125, 1200-1500, 10-20 mg, 0700-1900
ranges 150-400, 3.5-5.0, 135-145; 2019 2020 2021; 0830 0915 1030
texted twice, extended 90 degrees, x 100 needles, x2, x10
""".strip().splitlines()


@pytest.mark.parametrize("marked", DATES)
def test_every_token_of_a_date_is_found(marked: str) -> None:
    assert _tokens(marked, Together("dates", "short-dates")) == ([], [])


@pytest.mark.parametrize("text", NO_DATES)
def test_scales_and_ordinals_are_left(text: str) -> None:
    assert not [text[span.start : span.end] for span in Together("dates", "short-dates").find(text)]


@pytest.mark.parametrize("marked", PHONES)
def test_every_token_of_a_number_is_found(marked: str) -> None:
    assert _tokens(marked, RuleDetector.shipped("phones")) == ([], [])


@pytest.mark.parametrize("text", NO_PHONES)
def test_no_numbers(text: str) -> None:
    assert not [text[span.start : span.end] for span in RuleDetector.shipped("phones").find(text)]


def _tokens(marked: str, detector: Together | RuleDetector) -> tuple[list[str], list[str]]:
    """Tokens that were missed, and tokens too many ("the", "on" and the like are neither)."""
    text, wanted = parts(marked)
    places, at = [], 0
    for piece in wanted:
        at = text.index(piece, at)
        places.append((at, at + len(piece)))
        at += len(piece)
    within = {token for token in tokens(text) if any(a <= token[0] < b for a, b in places)}
    found = {
        token
        for span in detector.find(text, None)
        for token in tokens(text)
        if token[0] < span.end and span.start < token[1]
    }
    missed = [text[a:b] for a, b in sorted(within - found)]
    extra = [text[a:b] for a, b in sorted(found - within)]
    easy = ("the", "of", "and", "weekend", "2022", "x", "ext")
    return [word for word in missed if word not in easy], [word for word in extra if word not in easy]
