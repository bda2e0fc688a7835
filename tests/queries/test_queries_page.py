"""The page for analysts: its files need nothing from elsewhere, and a real browser asks questions on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser import Browser, NoBrowser, browser
from served_visits import process
from small_visits import desk

from sharewell.policy import load
from sharewell.queries.accounts import Accounts
from sharewell.queries.service.page import FILES, page_file
from sharewell.queries.service.tokens import Tokens
from sharewell.queries.session import queried_dataset

CARDS = "return document.getElementById(arguments[0]).innerText.includes(arguments[1])"
READY = "return !document.getElementById('ask').disabled"


def test_nothing_comes_from_elsewhere_and_nothing_is_stored() -> None:
    text = b"".join(map(page_file, FILES)).decode()
    addresses = set(re.findall(r"https?://[^\s\"'`]+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}  # the name of a vocabulary, not an address
    assert not re.search(r"localStorage|sessionStorage|indexedDB|document\.cookie|innerHTML|eval\(", text)
    html = page_file("/").decode()
    assert not re.search(r"\sstyle=|\son\w+=|<script(?![^>]*src=)", html)
    linked = set(re.findall(r'(?:href|src)="(/[^"]*)"', html))
    assert linked <= {*FILES, "/docs"}
    for name in re.findall(r'<(?:input|select|textarea) id="([\w-]+)"', html):
        assert f'for="{name}"' in html, f"{name} has no label"


def test_an_analyst_asks_on_the_page(tmp_path: Path) -> None:
    policy = desk(tmp_path)
    with Accounts.of(queried_dataset(load(policy))).opened() as (ledger, _):
        shown = Tokens(ledger, "visits").new("Ada")[1]
    try:
        with process(policy, "--minimum", "0.02") as (_, url), browser() as window:
            window.open(url)
            log_in(window, shown)
            ask_by_form(window)
            ask_as_json(window)
            looks_right(window)
            assert [one for one in window.errors() if "status of 422" not in one] == []  # that question was refused
            window.click("#leave")
            window.wait("return document.getElementById('desk').hidden && !document.getElementById('login').hidden")
    except NoBrowser as reason:
        pytest.skip(str(reason))
    with Accounts.of(queried_dataset(load(policy))).opened() as (ledger, _):
        assert [str(one.loss) for one in ledger.history("dataset:visits")] == ["epsilon 0.5", "epsilon 0.25"]


def log_in(window: Browser, shown: str) -> None:
    window.type("#token", "no token")
    window.click("#login button")
    window.wait(CARDS, "login-problem", "no token")
    window.type("#token", shown)
    window.press("\ue007")  # Enter
    window.wait(CARDS, "budget", "of ε 2 left")
    assert window.text("h1") == "Questions about visits"
    assert window.run("return document.activeElement.id") == "measure"
    stored = "return [localStorage.length, sessionStorage.length, document.cookie, location.href]"
    assert window.run(stored)[:3] == [0, 0, ""]
    assert window.run("return document.getElementById('token').value") == ""


def ask_by_form(window: Browser) -> None:
    window.click("#add-condition")
    window.choose("#conditions li label:first-child select", "age")
    window.choose("#conditions li label:nth-child(2) select", ">=")
    window.type("#conditions input", "40")
    window.click("#groups input[value=ward]")
    window.type("#price", "0.5")
    assert window.run("return document.getElementById('ask').disabled")  # its cost was not seen yet
    window.click("#see-cost")
    window.wait(READY)
    assert "It costs ε 0.5, for 3 groups together" in window.text("#cost")
    assert "off by at most 12" in window.text("#cost")
    window.press("\ue007")  # the focus is on Ask
    window.wait(CARDS, "answer", "It cost ε 0.5")
    assert window.run("return [...document.querySelectorAll('#answer tbody th')].map(one => one.innerText)") == [
        "A",
        "B",
        "other",
    ]
    assert window.run("return document.querySelectorAll('#answer svg').length") == 3
    assert "1.5 of ε 2 left" in window.text("#budget")
    assert window.run("return document.querySelectorAll('#chart circle').length") == 1
    window.type("#price", "0.6")
    assert window.run("return document.getElementById('ask').disabled")  # another question


def ask_as_json(window: Browser) -> None:
    window.click("[name=how][value=json]")
    assert '"group_by"' in window.run("return document.getElementById('json').value")
    window.type("#json", '{"measure": {"mean": "nothing"}}')
    window.click("#see-cost")
    window.wait(CARDS, "problem", "no declared domain")
    window.type("#json", '{"measure": {"mean": "age"}}')
    window.type("#price", "0.25")
    window.click("#see-cost")
    window.wait(READY)
    window.click("#ask")
    window.wait(CARDS, "answer", "The true value lies between")
    assert "1.25 of ε 2 left" in window.text("#budget")
    window.click("#history summary")
    window.click("#history tbody tr:last-child button")  # the first question once more
    window.wait(CARDS, "answer", "answered before (charge 1)")
    assert "1.25 of ε 2 left" in window.text("#budget")


def looks_right(window: Browser) -> None:
    """No part is wider than a small window; every control can be reached and has a name."""
    for width in (1200, 500):
        window.size(width, 900)
        assert window.run("return document.documentElement.scrollWidth <= innerWidth")
    unnamed = """
        return [...document.querySelectorAll('input, select, textarea, button')]
          .filter((one) => !one.labels?.length && !one.innerText && !one.ariaLabel && one.offsetParent)
          .map((one) => one.outerHTML)
    """
    assert window.run(unnamed) == []
    before = window.run("return getComputedStyle(document.body).backgroundColor")
    window.dark(True)
    assert window.run("return getComputedStyle(document.body).backgroundColor") != before
