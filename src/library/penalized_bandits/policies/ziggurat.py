"""Tables of the ziggurat, by which one random word becomes a standard normal number.

Marsaglia and Tsang (J. Stat. Softw. 5(8), 2000); for rewards, and policies' own numbers.
"""

import math
from decimal import Decimal, localcontext

import numpy as np

from penalized_bandits.common.typing import FloatArray, IntArray

N_LAYERS = 256


def _edges_and_heights() -> tuple[FloatArray, FloatArray]:
    """Right edges x_0 > x_1 > ... > x_256 = 0 of the layers of exp(-x^2/2), and its values there.

    Decimal arithmetic is correctly rounded: tables are the same on every processor.
    """
    with localcontext() as context:
        context.prec = 30
        # Solves (area of a layer) = (base strip with its tail) for 256 layers.
        start = Decimal("3.6541528853610087963519472518")
        area = Decimal("0.0049286732339746519")
        height = (-start * start / 2).exp()
        base = area / height
        edges, heights = [base, start], [(-base * base / 2).exp(), height]
        while len(edges) < N_LAYERS:
            height += area / edges[-1]
            # The C library's edge is almost right: Newton's step squares its error.
            near = Decimal(math.sqrt(-2.0 * math.log(height)))
            edges.append(near + (1 - height / (-near * near / 2).exp()) / near)
            heights.append(height)
        edges.append(Decimal(0))
        heights.append(Decimal(1))
        rounded = [float(x) for x in edges]
        # Heights of the rounded edges: the slope of exp(-x^2/2) is -x times its value.
        exact = zip(edges, heights, rounded, strict=True)
        values = [float(h - h * x * (Decimal(r) - x)) for x, h, r in exact]
        return np.array(rounded), np.array(values)


ZIGGURAT_EDGES, ZIGGURAT_HEIGHTS = _edges_and_heights()


def _first_try(edges: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return a word's factor and its limit of rejection, by its lowest nine bits.

    Eight bits are the layer, the ninth is the sign.  With u the word's upper 53 bits, as a number
    in [0, 1), the draw is u times the layer's edge; it is taken where it is below the next edge.
    """
    factors = edges[:N_LAYERS] * 2.0**-53
    limits = []
    for factor, following in zip(factors.tolist(), edges[1:].tolist(), strict=True):
        limit = max(int(following / factor) - 1, 0)
        while limit * factor < following:
            limit += 1
        limits.append(limit)
    return np.concatenate([factors, -factors]), np.array(limits * 2, np.int64)


FIRST_FACTORS, FIRST_LIMITS = _first_try(ZIGGURAT_EDGES)
