"""Settings 3 and 5 with more policies: reward against unfairness."""

from dataclasses import replace

from penalized_replication.experiments.paper import setting_3, setting_5

TITLE = "Reward against unfairness of every policy"
extended_3 = replace(
    setting_3.setting_3, id="extended_3", title=f"{TITLE} on MovieLens", compared=True
)
extended_5 = replace(
    setting_5.setting_5, id="extended_5", title=f"{TITLE} under three reward laws", compared=True
)
