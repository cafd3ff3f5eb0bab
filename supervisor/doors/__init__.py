"""The only access to the outside: a clock, a database, the web, a model. Every answer is recorded."""
