"""``penalized-bandits policies``: which policies there are."""

EXAMPLES = """\b
For example:
  penalized-bandits policies
"""


def policies() -> None:
    """List the policies, their tuning parameters and references."""
    from penalized_bandits.cli.terminal import show, table
    from penalized_bandits.policies import POLICIES

    listed = table("<id", "label", "tuning", "reference")
    for policy in POLICIES.values():
        symbol = "" if policy.tuning is None else policy.tuning.symbol
        listed.add_row(policy.id, policy.label, symbol, policy.reference)
    show(listed)
