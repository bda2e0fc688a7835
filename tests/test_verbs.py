from sharewell.verbs import VERBS, groups


def test_every_verb_is_in_one_group() -> None:
    assert [verb for names in groups().values() for verb in names] == list(VERBS)


def test_a_release_is_made_from_top_to_bottom() -> None:
    order = list(VERBS)
    path = ["init", "check", "plan", "keygen", "approve", "release", "verify", "diff"]
    assert [order.index(verb) for verb in path] == sorted(order.index(verb) for verb in path)


def test_summaries_fit_into_a_line_of_help() -> None:
    assert [name for name, verb in VERBS.items() if len(verb.summary) > 66] == []
