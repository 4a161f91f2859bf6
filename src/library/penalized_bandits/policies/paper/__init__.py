"""The policies of the paper's figures."""
