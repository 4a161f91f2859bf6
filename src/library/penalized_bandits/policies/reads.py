"""What the functions of a policy read of an arm or a round, by the names of the fields."""

import dis
from types import CodeType

from penalized_bandits.bandit.instances import Instance, check_floors_alone
from penalized_bandits.policies.base import Policy, no_queue
from penalized_bandits.policies.fingerprint import functions_of, nested

FLOORS = {"below", "fairness", "penalty", "penalties", "queue"}
"""Fields from which a rule serves floors by itself."""


def reads(policy: Policy, *fields: str) -> bool:
    """Return whether a policy reads one of some fields of an arm or a round.

    One of the package's names it; of others each that chooses, or takes an arm apart, may.
    """
    for function in functions_of(policy):
        own = not str(function.__module__).startswith("penalized_bandits.")
        for code in nested(function.__code__):
            apart = own and (policy.choose is not None or _takes_apart(code))
            if apart or not {*fields}.isdisjoint(code.co_names):
                return True
    return False


def reads_variance(policy: Policy) -> bool:
    """Return whether a policy reads the variance of an arm or those of a round."""
    return reads(policy, "variance", "variances")


def reads_bonus(policy: Policy) -> bool:
    """Return whether a policy reads the bonus of an arm or those of a round."""
    return reads(policy, "bonus", "bonuses")


def knows_floors_alone(policy: Policy) -> bool:
    """Return whether a policy serves floors by itself, and does not know ceilings."""
    serves = policy.draws == "floors" or policy.served is not no_queue or reads(policy, *FLOORS)
    return serves and not reads_bonus(policy)


def check_ceilings(policy: Policy, instance: Instance) -> None:
    """Raise BanditError if ceilings are charged and the policy knows floors alone."""
    if instance.charges_excess and knows_floors_alone(policy):
        other = ", or choose one whose index has arm.bonus, such as hard_threshold_ucb"
        check_floors_alone(instance, f"policy {policy.id}", other)


def _takes_apart(code: CodeType) -> bool:
    """Return whether code may read a field of an arm without its name."""
    if {"getattr", "_asdict", "tuple", "list"} & {*code.co_names}:
        return True
    steps = ((step.opname, step.argrepr) for step in dis.get_instructions(code))
    apart = ("BINARY_SUBSCR", "UNPACK_", "GET_ITER", "CALL_FUNCTION_EX")
    return any(name.startswith(apart) or (name, of) == ("BINARY_OP", "[]") for name, of in steps)
