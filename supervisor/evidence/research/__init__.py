"""What a report rests on: its sources, its citations and its claims."""
