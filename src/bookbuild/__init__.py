"""The embedded engine: renders the Quarto sources of this book with pandoc, where there is no Quarto.

One build, in the order of its steps:

1. config.py reads `_quarto.yml` (options.py says which options are known).
2. chapters.py takes each page through prepass.py (front matter, includes, variables, cells lifted out),
   cells.py (`{python}` cells in Jupyter), celltext.py (cells and results put back as Markdown) and
   pandoc.py (one run with filter.lua, then citeproc).
3. texmath.py turns all formulas into MathML, ojs.py compiles all `{ojs}` cells.
4. build.py has assets.py bundle styles, scripts and fonts, search.py index the text, page.py fill in
   template.html, and links.py check the result, before the new site replaces the old one.

Steps that cost time keep their results under build/ by the hash of what went in (cache.py). Every fault
of a source is a BookError with file and line (errors.py).
"""
