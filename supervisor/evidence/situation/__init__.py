"""The situation of an action: what the user asked for and excluded, and what earlier outputs showed about its target.

Each package is one sort of relation, with its words in YAML beside it. `deeds` reads what a command line does to which
names, `warned` what earlier steps said, and `gate` tells by bounded work whether a relation may hold.
"""
