"""Files of results: whole, checked, and with a record of what they were made with."""
