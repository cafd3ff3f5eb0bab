"""What deployments teach: the past of their agents judged again, labels, and what follows from both."""
