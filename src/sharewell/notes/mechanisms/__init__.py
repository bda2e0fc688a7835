"""How notes are protected."""
