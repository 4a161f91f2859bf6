"""The reproduction page ``results/index.html``: figures, verdicts and data in one file.

``sections.yaml`` holds what the page says of each figure; a new figure is an entry there.
Nothing is measured here: numbers come from the tables and claims that the page is given.
"""
