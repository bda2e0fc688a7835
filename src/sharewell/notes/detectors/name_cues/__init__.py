"""Cues in a line or a sentence that tell a name without any list of names."""
