"""Replacers: what stands in the place of something that was found, one sort of thing a file.

`tags` (DE-ID's marks), `suppression`, `names`, `identifiers`, `contacts` and `places` (surrogates that hide in plain
sight), `dates` (shifted, or the year alone), `ages`, `zips`, `drugs`, `doses`. All that is drawn derives from a key
of the person (`keyed_draws`), so that the same thing is replaced alike in all notes of one person, and differently in
those of another.
"""
