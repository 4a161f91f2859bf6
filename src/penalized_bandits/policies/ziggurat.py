"""Tables of the ziggurat, by which one random word becomes a standard normal number.

Marsaglia and Tsang (J. Stat. Softw. 5(8), 2000).  Rewards are drawn by it, and so are numbers of
the policies' own.
"""

from decimal import Decimal, localcontext

import numpy as np

from penalized_bandits.common.typing import FloatArray, IntArray

N_LAYERS = 256


def _ziggurat_edges() -> FloatArray:
    """Right edges x_0 > x_1 > ... > x_256 = 0 of the layers of exp(-x^2/2).

    Decimal arithmetic is correctly rounded, so the table is the same on every
    processor and C library.
    """
    with localcontext() as context:
        context.prec = 40
        # Solves (area of a layer) = (base strip with its tail) for 256 layers.
        start = Decimal("3.6541528853610087963519472518")
        area = Decimal("0.0049286732339746519")

        def density(x: Decimal) -> Decimal:
            return (-x * x / 2).exp()

        edges = [area / density(start), start]
        while len(edges) < N_LAYERS:
            height = area / edges[-1] + density(edges[-1])
            edges.append((-2 * height.ln()).sqrt())
        edges.append(Decimal(0))
        return np.array([float(x) for x in edges])


def _ziggurat_heights(edges: FloatArray) -> FloatArray:
    """Value of exp(-x^2/2) at each edge."""
    with localcontext() as context:
        context.prec = 40
        return np.array([float((-(Decimal(x) ** 2) / 2).exp()) for x in edges.tolist()])


ZIGGURAT_EDGES = _ziggurat_edges()
ZIGGURAT_HEIGHTS = _ziggurat_heights(ZIGGURAT_EDGES)


def _first_try(edges: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return what a word is multiplied by and where it is rejected, by its lowest nine bits.

    Eight bits are the layer, the ninth is the sign.  With u the word's upper 53 bits, as a number
    in [0, 1), the draw is u times the layer's edge; it is taken where it is below the next edge.
    """
    factors = edges[:N_LAYERS] * 2.0**-53
    limits = []
    for factor, following in zip(factors.tolist(), edges[1:].tolist(), strict=True):
        limit = round(following / factor)
        while limit > 0 and (limit - 1) * factor >= following:
            limit -= 1
        while limit * factor < following:
            limit += 1
        limits.append(limit)
    return np.concatenate([factors, -factors]), np.array(limits * 2, np.int64)


FIRST_FACTORS, FIRST_LIMITS = _first_try(ZIGGURAT_EDGES)
