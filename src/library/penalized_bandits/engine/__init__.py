"""The compiled simulator: see ``simulate.py`` for what users call."""
