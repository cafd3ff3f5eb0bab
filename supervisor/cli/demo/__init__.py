"""`supervisor demo`: a morning of three agents in a sandbox, with real tools, real decisions and real records."""
