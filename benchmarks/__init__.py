"""Times of adjoint beside its peers': `python -m benchmarks`; how its costs grow: `python -m benchmarks --growth`."""
