"""The paper's five settings, one file each."""
