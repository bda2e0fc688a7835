"""Learning from notes that people mark, and a table made from notes (HIDE: Gardner and Xiong 2008)."""
