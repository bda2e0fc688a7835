"""Replacers decide what stands in the place of a span that a detector found, one sort of span a file.

`names`, `identifiers` and `places` draw surrogates that hide in plain sight, `dates` shifts dates or keeps
their year, `ages` caps ages, `doses` rounds, `tags` writes tags and marks. Every surrogate is drawn from a key of the
person (`keyed_draws`): the same value has the same surrogate in all notes of a person, and another in those of others.
"""
