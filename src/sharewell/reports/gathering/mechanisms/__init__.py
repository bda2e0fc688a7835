"""How it is made to hold."""
