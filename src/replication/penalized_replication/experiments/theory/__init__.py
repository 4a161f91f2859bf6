"""Studies that test the paper's theory, one file each.  The paper itself has no such runs."""
