"""The built-in kinds, one table each."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from sharewell.cells import Interval, labelled
from sharewell.errors import PolicyError
from sharewell.hierarchy import Dates, Flat, HierarchyGap, Intervals, Ordered, Prefixes, SafeHarborZip, Zip
from sharewell.hierarchy.zips import populous


@pytest.mark.parametrize(
    ("hierarchy", "value", "chain"),
    [
        (Intervals(), "0", "0 [0-4] [0-9] [0-19] *"),
        (Intervals(), "4", "4 [0-4] [0-9] [0-19] *"),
        (Intervals(), "5", "5 [5-9] [0-9] [0-19] *"),
        (Intervals(), "-1", "-1 [-5..-1] [-10..-1] [-20..-1] *"),
        (Intervals(), " 7 ", "7 [5-9] [0-9] [0-19] *"),
        (Intervals(), "7.0", "7.0 [5-9] [0-9] [0-19] *"),
        (Intervals(), "[20-24]", "[20-24] [20-29] [20-39] *"),
        (Intervals(width=10, levels=1, origin=5), "14", "14 [5-14] *"),
        (Prefixes(), "021", "021 02* 0* *"),
        (Prefixes(), "0", "0 *"),
        (Prefixes(), "021*", "021* 02* 0* *"),
        (Prefixes(lengths=[1, 3]), "02139", "02139 021* 0* *"),
        (Prefixes(lengths=[3]), "021", "021 *"),
        (Zip(), "02139", "02139 021* 0* *"),
        (Zip(), "021394307", "02139-4307 02139 021* 0* *"),
        (Zip(), "021*", "021* 0* *"),
        (SafeHarborZip(), "02139-4307", "02139-4307 02139 021 *"),
        (SafeHarborZip(), "82190", "82190 000 *"),
        (SafeHarborZip(), "00001", "00001 000 *"),
        (SafeHarborZip(), "021", "021 *"),
        (SafeHarborZip(), "036", "036 000 *"),
        (SafeHarborZip(), "000", "000 *"),
        (Dates(), "1900-02-28", "1900-02-28 1900-02 1900 1900-1904 1900-1909 *"),
        (Dates(), "2100-12", "2100-12 2100 2100-2104 2100-2109 *"),
        (Dates(), "0001-01-01", "0001-01-01 0001-01 0001 0001-0004 0001-0009 *"),
        (Dates(), "9999-12-31", "9999-12-31 9999-12 9999 9995-9999 9990-9999 *"),
        (Dates(), "2015-2019", "2015-2019 2010-2019 *"),
        (Dates(spans=[]), "2016", "2016 *"),
        (Dates(spans=[3000]), "9999", "9999 9000-9999 *"),
        (Dates(), "2016-02-29T23:59:59Z", "2016-02-29T23:59:59Z 2016-02-29 2016-02 2016 2015-2019 2010-2019 *"),
        (Ordered(["a", "b", "c"]), "b", "b *"),
        (Flat(), "x", "x *"),
        (Flat(), "", "*"),
    ],
)
def test_chains(hierarchy: Any, value: str, chain: str) -> None:
    """From the value to the root."""
    assert " ".join(hierarchy.chain(value)) == chain


@pytest.mark.parametrize(
    ("hierarchy", "values"),
    [
        (Dates(), ["1900-02-29", "2015-13", "2015-00", "2015-1-1", "15", "0000", "2015-02-30T10:00", "2015-02-03T99"]),
        (Dates(), ["01/02/2015", "20150102", "2013-2017", "２０１５", "2015-02-", "spring"]),
        (Intervals(), ["x", "1.5", "1,5", "nan", "inf", "1_000", "[20-25]", "9" * 13, "١٢", "0x1"]),
        (Intervals(whole=False), ["x", "1,5", "nan", "[0-4]", "20 to <26"]),
        (Zip(), ["2139", "0213", "02139-43", "0213a", "M5V 3L9", "０２１３９"]),
        (SafeHarborZip(), ["2139", "02139-", "21"]),
        (Ordered(["a", "b"]), ["A", "c"]),
    ],
)
def test_what_a_kind_does_not_list(hierarchy: Any, values: list[str]) -> None:
    """Each of these is a gap, and the error holds counts only."""
    assert [hierarchy.lists(value) for value in values] == [False] * len(values)
    with pytest.raises(HierarchyGap) as caught:
        hierarchy.compile(values)
    assert caught.value.missing == len(values)
    assert not any(value in str(caught.value) for value in values if len(value) > 5)


def test_whole_numbers_are_published_as_closed_intervals() -> None:
    """The labels are cells of the published language."""
    assert labelled(Intervals().chain("23")[1]) == Interval("20", "24")
    assert labelled(Intervals().chain("-3")[1]) == Interval("-5", "-1")


def test_cuts_have_open_ends_that_reach_to_the_data() -> None:
    """Outside the cut points, leaves are counted up to the column's own extremes."""
    levels = Intervals(cuts=[[0, 18, 65], [0, 65]]).compile(["-2", "3", "20", "70"])
    leaves = dict(zip(levels.labels, levels.leaves.tolist(), strict=True))
    assert leaves["under 0"] == 2
    assert leaves["[0-17]"] == 18
    assert leaves["[0-64]"] == 65
    assert leaves["65 or more"] == 6
    assert leaves["*"] == 73


def test_decimals_count_leaves_at_the_columns_precision() -> None:
    """One decimal makes ten leaves of each unit."""
    levels = Intervals(width=1, levels=1, whole=False).compile(["36.6", "37", "38.2"])
    leaves = dict(zip(levels.labels, levels.leaves.tolist(), strict=True))
    assert (leaves["36 to <37"], leaves["*"]) == (10, 30)


@pytest.mark.parametrize(
    ("label", "days"),
    [("2016-02", 29), ("2015-02", 28), ("1900", 365), ("2000", 366), ("2015-2019", 1826), ("2010-2019", 3652)],
)
def test_leaves_of_dates_are_days(label: str, days: int) -> None:
    """Months and years have the days of the calendar."""
    levels = Dates().compile([label])
    assert levels.leaves[levels.node_of[label]] == days


def test_the_day_is_reached_from_every_instant_of_it() -> None:
    """Two times of one day share the day, and a plain date is that day."""
    levels = Dates().compile(["2016-02-29T08:00", "2016-02-29", "2016-02-29 17:45:00"])
    assert len({int(n) for n in levels.nodes[1]}) == 1


def test_every_day_of_four_centuries_is_a_date() -> None:
    """No year is special, 1900 and 2100 included."""
    days = [(date(1800, 1, 1) + timedelta(days=i)).isoformat() for i in range(146_097)]
    levels = Dates(spans=[100, 400]).compile(days)
    assert levels.values == tuple(days)
    assert levels.unknown == 0


@pytest.mark.parametrize(
    "make",
    [
        lambda: Intervals(width=0),
        lambda: Intervals(width=-5),
        lambda: Intervals(levels=0),
        lambda: Intervals(width=0.5),
        lambda: Intervals(width=float("nan")),
        lambda: Intervals(cuts=[[0, 10], [5]]),
        lambda: Intervals(cuts=[[10, 0]]),
        lambda: Intervals(cuts=[[]]),
        lambda: Dates(spans=[10, 5]),
        lambda: Dates(spans=[5, 12]),
        lambda: Dates(spans=[1]),
        lambda: Prefixes(lengths=[0]),
        lambda: Ordered([]),
        lambda: Ordered(["a", "a"]),
        lambda: Ordered(["a", "b", "c"], {"g": ["a", "c"]}),
        lambda: Ordered(["a", "b"], {"g": ["z"]}),
        lambda: Ordered(["a", "b"], {"g": ["a"], "h": ["a"]}),
        lambda: Zip(on_gap="drop"),
    ],
)
def test_bad_settings_are_refused(make: Any) -> None:
    """Settings that make no tree are a policy's mistake."""
    with pytest.raises(PolicyError):
        make()


def test_the_census_of_2020_has_18_small_areas() -> None:
    """Of 894 three-digit areas, 876 hold more than 20,000 people."""
    assert SafeHarborZip.census == 2020
    assert len(populous()) == 876
    assert not {"036", "059", "102", "203", "556", "692", "821", "823", "878", "879", "884", "893"} & populous()


def test_an_order_keeps_its_order() -> None:
    """Positions follow the order given, not the alphabet."""
    order = Ordered(["low", "middle", "high"], groups={"not high": ["low", "middle"]})
    assert order.compile(["high", "low", "middle"]).values == ("low", "middle", "high")
    assert order.chain("middle") == ("middle", "not high", "*")
