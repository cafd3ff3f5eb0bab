"""The engine: decides on actions, records decisions, and asks specialists in this process and in workers."""
