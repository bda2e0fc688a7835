"""How it is made to hold for people and their codes together."""
