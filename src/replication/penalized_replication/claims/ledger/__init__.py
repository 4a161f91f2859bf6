"""The ledger: texts and tables of decided claims, and the register of rules."""
