"""Measures speed and size: `make bench`. Tests assert no timings; claims about speed come from here."""
