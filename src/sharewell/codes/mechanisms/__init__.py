"""How it is made to hold for sets of codes. No mechanism draws at random: keys are not used, results are reproducible."""
