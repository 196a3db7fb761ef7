"""Lab 4: models that rewrite dates in ISO form, with and without attention."""
