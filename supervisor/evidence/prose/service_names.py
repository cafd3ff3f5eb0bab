"""What people call a service, besides the name of its unit: SQL Server is `MSSQLSERVER`, IIS is `W3SVC`."""

from __future__ import annotations

from supervisor.evidence.reading.tables import table_beside

_SHORTEST = 3  # characters of a unit's name


def spoken_names(unit: str) -> tuple[str, ...]:
    """The names by which users may mean the service of this unit, the name of the unit first."""
    name = unit.lower().removesuffix(".service").partition("@")[0]
    known = table_beside(__file__, "service_names.yaml")
    spoken = (each for begins, names in known.items() if name.startswith(begins) for each in names)
    return (name, *spoken) if len(name) >= _SHORTEST else (name,)
