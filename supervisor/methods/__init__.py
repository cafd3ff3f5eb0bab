"""Ways of detecting that several specialists share: classifiers, narrow judges, sources."""
