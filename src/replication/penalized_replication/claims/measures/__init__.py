"""What several claims measure: a new measure is a file here, named after what it is of."""
