"""Learning from labels: where a specialist's objection is a false alarm in this deployment, proposed for a person."""
