"""What is measured, by the names under which `data/` holds it: the lab writes and the report reads by them.

Imports nothing: reading the data takes no PyTorch. `MODELS` and `KS` are those of `model.py` and
`task.py`, as a test makes sure.
"""

MODELS = ("plain", "dot", "additive")
ATTENTION = ("dot", "additive")
KS = ("1", "2", "3", "4")  # dates per source
TOLERANCES = ("0", "1")  # positions after a date that still count as a hit
BEAMS = ("1", "3", "5")
PEAKED = 0.99  # a row of attention weights is peaked when one weight is above this
