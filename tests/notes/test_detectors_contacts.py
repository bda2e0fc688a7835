"""Telephone numbers, e-mail, web and internet addresses, Social Security numbers."""

from __future__ import annotations

import pytest
from marked_text import check, found
from time_growth import grows_with_the_square

from sharewell.notes.matcher.matching import RuleDetector

EMAILS, IPS, PHONES, SSN, URLS = map(RuleDetector.shipped, ("emails", "ips", "phones", "ssn", "urls"))

FOUND = [
    (PHONES, "Phone: [(503) 555-0142], cell [503.555.0143], fax [503-555-0144 x12]"),
    (PHONES, "call [+1-903-140-4508x769] or [+44 20 7946 0018]; PAGER [4417]; [ext 2204]"),
    (PHONES, "Call 5035550142 days".replace("5035550142", "[5035550142]")),
    (PHONES, "reached at [555-0106 ext 214]; wife's cell [555-0177]"),
    (PHONES, "| Phone | [503 555 0142] |"),
    (PHONES, "bleeped me ([418]); porter paged, [5471]; operator [8161]; team phone [5562]; spectralink [4410]"),
    (PHONES, "extension [four two one]; ring [612 triple five 0156] or [915 five five five 0195]"),
    (PHONES, "fax ( [617 ) 555 - 0133] or [503 - 555 - 0142]; [(291) 555- 0126]; call me [x7714] today"),
    (PHONES, "informed bleep [814]\n06:05 epidural sited; [304] area code"),
    (PHONES, "stop messages to [0489 25 37 29] please"),
    (PHONES, "Page Courtois at [1142] with questions; Sorrel ([x5521]); Lindgren [x6-3308]"),
    (PHONES, "Page the night float at [9804] if INR > 5; lab ([ext 8755]) called"),
    (EMAILS, "mail [jane.doe+x@example.org], [J_Doe@mail.example.co.uk]."),
    (EMAILS, "dictated [jane dot doe at example dot org] today"),
    (URLS, "see [https://www.example.com/a?b=1], [www.doefamily.net]. Follow up."),
    (URLS, "portal [mychart.example.org/login] and [facebook.com/jane.doe]; she is [@jane_doe]"),
    (IPS, "login from [192.0.2.14] and [2001:db8::8a2e:370:7334], device [00:1b:44:11:3a:b7]"),
    (SSN, "SSN: [679-11-7493], social security number [679 11 7493], SSN [679117493]"),
    (SSN, "(SSN ending [9815]), ssn last four [1234], ss# [xxx-xx-9815]"),
]

NOTHING = [
    (PHONES, "platelets 150-400, range 100-1500, INR 2.0-3.0, 1000-1500 mL, 120/80, 10-20-30"),
    (PHONES, "L4-5, T12-L1, call in 24-48 hours, page 3 of 12, extended 90 degrees"),
    (PHONES, "sodium 135 potassium 4.0 chloride 101, 500 mg 250 mg 125 mg"),
    (PHONES, "bleeped at 0430, paged 1 hr ago, phone 2 times, operator 0830"),
    (PHONES, "at 0430 and 1900, in 2019 - 2021, version 1.2.3456"),
    (EMAILS, "5 mg @ 10 mL/hr, seen @ bedside, at rest dot blot"),
    (URLS, "no pain.No fever.It is well. e.g. 2.5 mg, etc. q.i.d. b.i.d. a.m."),
    (IPS, "version 4.2.1.0, firmware 10.0.1.2, 1.2.3, at 10:30:15, ratio 1:2:3"),
    (SSN, "ICD 250.00, 123-45-678, 03-05-2016, lot 1234, less than 1000, social history: 2 packs"),
]


@pytest.mark.parametrize(("detector", "marked"), FOUND)
def test_contacts(detector: object, marked: str) -> None:
    check(detector, marked)  # type: ignore[arg-type]


@pytest.mark.parametrize(("detector", "text"), NOTHING)
def test_no_contacts(detector: object, text: str) -> None:
    assert not found(detector, text)  # type: ignore[arg-type]


def test_dots_without_a_blank_take_time_in_proportion() -> None:
    assert not URLS.find("a.b." * 500)
    assert not grows_with_the_square(URLS.find, "a.b." * 500, "a.b." * 5_000, 10)


@pytest.mark.parametrize("change", [str.upper, str.lower])
def test_case_does_not_matter(change: object) -> None:
    for detector, marked in FOUND:
        if detector not in (EMAILS, URLS):
            check(detector, change(marked))  # type: ignore[operator]
