"""Imported first by the workflow's scripts: what each job, of which there are many, is spared.

Imports make a hundred thousand objects and no garbage, and the collector goes over them
again and again: a tenth of the time of a short job.  `penalized_bandits.logs.job_log`, in
which the job begins, lets it work again.

The linear algebra behind numpy and scipy starts threads for each core when it is imported.
A job has one core, and matrices so small that threads would only wait for one another.
"""

import gc
import os

gc.disable()
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
