"""The paper's five settings, one file each.  A new one is a file and a line here."""

from penalized_bandits.settings import setting_1, setting_2, setting_3, setting_4, setting_5
from penalized_bandits.settings.base import Case, Context, Readings, Run, Section, Setting

SETTINGS: dict[str, Setting] = {
    setting.id: setting
    for setting in (
        setting_1.SETTING,
        setting_2.SETTING,
        setting_3.SETTING,
        setting_4.SETTING,
        setting_5.SETTING,
    )
}

__all__ = ["SETTINGS", "Case", "Context", "Readings", "Run", "Section", "Setting"]
