"""How it is made to hold for sets of codes."""
