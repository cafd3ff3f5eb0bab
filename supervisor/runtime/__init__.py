"""What keeps agents working: tasks, the engine that runs them, and the processes of workers."""
