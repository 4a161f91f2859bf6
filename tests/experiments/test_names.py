"""Names for reading: of cases, policies and experiments, and in sentences."""

import pytest

from penalized_bandits.experiments.catalogue import EXPERIMENTS
from penalized_bandits.experiments.names import case_name, in_words, name_of
from penalized_bandits.policies import POLICIES


@pytest.mark.parametrize(
    ("case", "name"),
    [
        ("K5_tau0.2", "K = 5, τ = 0.2"),
        ("K20_tau0.5_beta", "K = 20, τ = 0.5, Beta"),
        ("m0_1250", "m₀ = 1,250"),
        ("movies_m0_1250", "MovieLens, m₀ = 1,250"),
        ("setting_4", "Setting 4"),
        ("setting_4_noncritical_1", "Setting 4, non-critical 1"),
        ("case_2", "case 2"),
        ("theorem_4_1_K20", "Theorem 4.1, K = 20"),
        ("tau_power_025", "τ power 0.25"),
        ("small_penalties", "small penalties"),
    ],
)
def test_cases(case: str, name: str) -> None:
    assert case_name(case) == name
    assert in_words(f"in {case}: 1") == f"in {name}: 1"


@pytest.mark.parametrize(
    "text",
    [
        # Formulas, years, addresses and versions stay as they are.
        "A_k − Δ_k, τ_k T, max_t (τ_j t − N_j(t))₊, a_3 = 4 b_1, K_exploit",
        "Auer et al. (2002), arXiv 2211.08311, DOI 10.1109/TIT.2025.3525666",
        "(0.5, 0.25), T^(2/3), 1 − b, A=B",
    ],
)
def test_what_is_no_id_stays(text: str) -> None:
    assert in_words(text) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("T=16000", "T = 16,000"),
        ("up to T = 3043, then 31623 pulls", "up to T = 3,043, then 31,623 pulls"),
        ("-89.3% to +0.0%", "−89.3 % to +0.0 %"),
        ("1e+06 rounds, 2.5e-05", "1,000,000 rounds, 2.50 × 10⁻⁵"),
        ("lfg_original, not lfg", "LFG (as published), not LFG"),
        ("for each m0", "for each m₀"),
        ("against ucb1.", "against UCB1."),
        ("m0_2500 T=500, ten_arms arm 7", "m₀ = 2,500, T = 500, ten arms, arm 7"),
    ],
)
def test_numbers_and_policies_in_sentences(text: str, said: str) -> None:
    assert in_words(text) == said


def test_nothing_is_shown_by_its_id() -> None:
    for name in (*POLICIES, *EXPERIMENTS):
        assert "_" not in name_of(name), name
