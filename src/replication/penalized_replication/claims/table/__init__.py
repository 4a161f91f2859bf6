"""The claims table: texts of decided claims, and the preregistration of rules."""
