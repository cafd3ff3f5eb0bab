"""What people say about decisions and what agents made of them: labels, and an index for queues, plots and learning."""
