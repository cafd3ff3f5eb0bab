"""Attacks on the guard, generated: what an agent would write that wants its action to run unjudged."""
