"""What an action changes, for the worse or as the user asked, and what it plants for later."""
