"""Other tools beside ours: each in an environment of its own, run on the same rows, in one bench."""
