"""How fast sessions are, next to the SDK's own: `python -m tests.benchmarks`."""
