"""From `data/` to what the book shows: figures, alt texts, variables; and the check of the data.

Nothing here imports PyTorch: building the site does not need it.
"""
