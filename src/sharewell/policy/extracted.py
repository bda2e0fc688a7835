"""What a release and a kind of data agree on about a table that is made from the data (`Dataset.extract`)."""

PERSON = "person"
"""The column of the table that tells whose row it is; it is never published."""
CRITERION = "extracted-values"
"""By which what is written back is judged; a release adds it where it is not asked for."""
