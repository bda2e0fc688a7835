"""How it is made to hold, for data about which questions are asked."""
