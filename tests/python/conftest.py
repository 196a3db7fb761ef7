"""Settings for all Python tests."""

import os

# Small tensors: threads cost more than they give, above all when several tests run side by side.
os.environ.setdefault("OMP_NUM_THREADS", "1")
