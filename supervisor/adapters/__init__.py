"""Adapters, one file a host. Each adds the guard to one framework, and is imported only if that framework is used."""
