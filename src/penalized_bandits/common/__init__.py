"""What every folder may use: errors, types of arrays, numbers for reading, parts of a config."""
