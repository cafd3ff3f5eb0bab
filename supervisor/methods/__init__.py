"""Methods of detection that several specialists share: classifiers, narrow judges, sources."""
