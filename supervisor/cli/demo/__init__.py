"""A morning of three agents in a sandbox: what `supervisor demo` shows. Real tools, real decisions, real records."""
