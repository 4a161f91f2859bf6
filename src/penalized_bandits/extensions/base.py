"""What the sections of the extensions have in common."""

from typing import Annotated

from pydantic import AfterValidator, Field

from penalized_bandits.settings.base import Horizons, PolicyList, Replicates, Section, tuned_by

RegretPolicies = Annotated[PolicyList, AfterValidator(tuned_by("regret"))]
Budget = Annotated[int, Field(ge=1, le=100)]


class RegretSection(Section):
    """A comparison of penalized regret over horizons."""

    replicates: Replicates
    policies: RegretPolicies
    horizons: Horizons
