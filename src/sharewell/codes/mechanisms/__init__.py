"""How it is made to hold for sets of codes. No mechanism here draws at random: keys are not used."""
