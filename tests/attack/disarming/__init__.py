"""Ways to disarm the guard, generated from what is done to what by which tool or language, with honest twins."""
