"""Research beyond the paper, as an extension of its replication: proofs, and what tests them."""

REGRET = ("extended_1", "extended_regret")
TRADEOFF = ("extended_3", "extended_5")
"""Experiments in which all policies are compared, on regret and on trade-offs."""
COMPARED = (*REGRET, *TRADEOFF)
DRAWN = (*(f"figure_{number}" for number in range(1, 6)), "figure_5_panels", "theory_crossover")
"""The figures of the default run that the article shows."""
TEXTS = (
    *(f"{name}.typ" for name in ("article", "style", "ledger", "problem", "related")),
    *(f"{name}.typ" for name in ("claims", "methods", "figures", "theory", "new", "optimal")),
    *("practice.typ", "reproducibility.typ", "supplement.typ", "metadata.yaml", "references.bib"),
)
"""The files of ``research/article``."""
PROVED = (
    *(f"docs/pages/theory/{name}.md" for name in ("setting", "corrections")),
    *(f"research/docs/{name}.md" for name in ("exact-limits", "least-constant")),
    *(f"research/docs/{name}.md" for name in ("gap-free", "floors", "stairs")),
)
"""Pages of the theory in the article's supplement, as they are read."""
