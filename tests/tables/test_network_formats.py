"""Addresses of networks in published cells, and what only looks like them."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.tables.engine.checks.network_formats import MAIL, NETWORK, PICTURE, WEB, network_format


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((text, MAIL) for text in ("bo@example.org", "<bo@example.co.uk>", "bo @ example.org", "bo(at)example.org")),
        *((text, WEB) for text in ("https://x.y", "www.example.de", "example.com", "example.de/x", "ftp://1")),
        *((text, NETWORK) for text in ("10.1.2.3", "10.1.2.3:80", "10.1.2.0/24", "x10.1.2.3y", "10[.]1[.]2[.]3")),
        *((text, NETWORK) for text in ("[2001:db8::1]:443", "fe80::1%eth0", "::ffff:10.1.2.3", "IPv6fe80::1ff:fe23")),
        *(
            (text, NETWORK)
            for text in ("aa-bb-cc-dd-ee-ff", "00:11:22:33:44:55", "aabb.ccdd.ee00", "MACaa:bb:cc:dd:ee:ff")
        ),
        *((text, PICTURE) for text in ("face.jpg", "data:image/png;base64,x")),
        *(
            (text, None)
            for text in ("E.coli", "b.i.d.", "10:15:30", "1:2:3:4:5:6:7:8", "A*02:01:01:01", "1.2.840.10008.5")
        ),
        *((text, None) for text in ("256.1.2.3", "1.2.3", "5 mg @ night", "vs. normal", "12::30", "looked at home")),
    ],
)
def test_addresses(text: str, kind: str | None) -> None:
    assert network_format(text) == kind


@given(
    st.ip_addresses(v=4) | st.ip_addresses(v=6),
    st.sampled_from(["{}", "({})", "ip={}", "from {} on", "[{}]:8080", "{}/24", "{},x"]),
)
def test_every_address_is_recognised(address: ipaddress.IPv4Address | ipaddress.IPv6Address, form: str) -> None:
    """But for those of version 6 of which nearly nothing is written, as `::` or `1::2`."""
    long = max(map(len, str(address).split(":"))) > 2
    assert (network_format(form.format(address)) == NETWORK) or not long
