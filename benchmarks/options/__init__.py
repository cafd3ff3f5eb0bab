"""The options that programs report of themselves: `python -m benchmarks.options ROOT… > supervisor/evidence/commands/arity.txt`.

Each program runs under `shim.c` with `--help`, as nobody, without a network, with an empty home, closed standard input and
a limit of two seconds. Only programs that link getopt or argp dynamically report anything.
"""
