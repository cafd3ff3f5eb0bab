"""What the user said in words: limits, conditions before an act, a wish only to look, what a step is for."""
