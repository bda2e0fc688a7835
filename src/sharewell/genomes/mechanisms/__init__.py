"""How it is made to hold for DNA."""
