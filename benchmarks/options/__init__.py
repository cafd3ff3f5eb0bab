"""The options that programs report of themselves.

    python -m benchmarks.options ROOT… > supervisor/evidence/commands/arity.tsv

Each program runs under `shim.c` with `--help`, as nobody, without a network, with an empty home, without standard
input, for two seconds at most. Only programs that link getopt or argp dynamically report anything.
"""
