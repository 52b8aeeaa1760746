"""Views and in-place writes: rule by rule, and by random programs against a model that never aliases."""
