"""Settings of the linear algebra behind numpy and scipy, which reads them when it is imported.

It starts threads for each core; the matrices here are so small that threads would only wait for
one another.  Code for AVX-512 rounds in another order: the last digits of claims would differ.
"""

import os
from contextlib import suppress
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
with suppress(OSError), Path("/proc/cpuinfo").open(encoding="utf-8") as processor:
    if "avx2" in processor.read(8192):
        os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")
        os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", "X86_V4 AVX512_ICL AVX512_SPR")
