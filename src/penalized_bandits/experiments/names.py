"""Names of experiments for reading; policies have labels and cases have `CaseInfo.label`."""

_WORDS = {"setting": "Setting", "lfg": "LFG"}


def name_of(experiment: str) -> str:
    """Name an experiment.

    >>> name_of("setting_4"), name_of("lfg_fairness"), name_of("two_instances")
    ('Setting 4', 'LFG fairness', 'two instances')
    """
    return " ".join(_WORDS.get(word, word) for word in experiment.split("_"))
