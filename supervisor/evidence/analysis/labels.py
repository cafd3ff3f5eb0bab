"""What the names in an analysis say: a person or thing that has rows, a unit, a currency, a sample, a simulation."""

from __future__ import annotations

from collections.abc import Mapping

from supervisor.evidence.python.names import words_of
from supervisor.regexes import compile_later

_ENTITIES = frozenset(
    (
        "patient subject participant speaker user customer client person student pupil member employee household family"
        " animal mouse rat device machine engine battery site hospital donor respondent player athlete driver vehicle"
        " author session couple twin cell_line sensor turbine account"
    ).split()
)
_DIMENSIONS: Mapping[str, Mapping[str, str]] = {
    "mass": {"kg": "kg", "kgs": "kg", "kilograms": "kg", "g": "g", "grams": "g", "mg": "mg", "lb": "lb", "lbs": "lb"}
    | {"pounds": "lb", "oz": "oz", "ounces": "oz", "tonnes": "t", "tons": "ton"},
    "length": {"km": "km", "mi": "mi", "miles": "mi", "m": "m", "meters": "m", "metres": "m", "cm": "cm", "mm": "mm"}
    | {"ft": "ft", "feet": "ft", "inch": "in", "inches": "in", "kilometers": "km", "kilometres": "km"},
    "time": {
        "ms": "ms",
        "millis": "ms",
        "sec": "s",
        "secs": "s",
        "seconds": "s",
        "s": "s",
        "minutes": "min",
        "min": "min",
    }
    | {"mins": "min", "hours": "h", "hrs": "h", "h": "h", "days": "d", "us": "us", "ns": "ns", "milliseconds": "ms"},
    "temperature": {"celsius": "C", "fahrenheit": "F", "kelvin": "K", "degc": "C", "degf": "F"},
    "money": {each: each for each in "usd eur gbp jpy chf cny inr cad aud sek nok dkk pln brl mxn krw".split()}
    | {"cents": "cents", "dollars": "usd", "euros": "eur", "yen": "jpy", "pesos": "mxn", "rupees": "inr"},
    "volume": {"ml": "ml", "l": "l", "liters": "l", "litres": "l", "gal": "gal", "gallons": "gal"},
    "share": {"pct": "pct", "percent": "pct", "bps": "bps"},
    "data": {"bytes": "B", "kb": "kB", "mb": "MB", "gb": "GB", "bits": "bit", "kib": "KiB", "mib": "MiB"},
}
_SHORT = frozenset({"g", "l", "m", "s", "mi", "us", "ns"})  # count only at the end of a longer name
SIMULATED = compile_later(
    r"(?i)simulat|synthe|mock|fake|dummy|fixture|placeholder|toy|example|demo|tutorial|monte.?carlo|bootstrap|permut"
    r"|sample data|random(?:ly|iz|is)|generat(?:e|ed|es|ing|or)\b|seed data|test data|noise|invented|made.?up|illustrat"
    r"|lorem|faker|load.?test|fuzz|benchmark_?data|anonymi[sz]|placebo|power analysis|power_analysis|jitter"
)
PARTIAL = compile_later(
    r"(?i)sampl|subset|head\b|first[ _]|preview|top[ _]?\d*|approx|estimat|pilot|debug|smoke|dev\b|quick|prototype"
    r"|partial|spot.?check|limit(?:ed)?\b|tail|latest|recent|batch|chunk|dry.?run|sanity"
)


def is_entity(column: str) -> bool:
    """Whether a column tells a person or a thing apart that may have several rows: `patient_id`, `subject`."""
    words = words_of(column)
    return bool(words & _ENTITIES) or (column.lower().endswith("_id") and len(column) > 3)


def unit_of(name: str) -> tuple[str, str]:
    """The dimension and the unit that a name ends in: ("mass", "kg") for `weight_kg`. Empty if it ends in none."""
    parts = name.replace("-", "_").split("_")
    last = parts[-1].lower()
    if last in _SHORT and len(parts) < 2:
        return "", ""
    if len(parts) > 2 and parts[-2].lower() in ("per", "to", "in"):
        return ("", "") if parts[-2].lower() != "in" else _unit(last)
    return _unit(last) if len(parts) > 1 else ("", "")


def different_units(left: str, right: str) -> str:
    """The two units that two names end in, if they are of one dimension and differ: "usd and eur"; empty if not."""
    one, other = unit_of(left), unit_of(right)
    return f"{one[1]} and {other[1]}" if one[0] and one[0] == other[0] and one[1] != other[1] else ""


def _unit(word: str) -> tuple[str, str]:
    return next(((kind, units[word]) for kind, units in _DIMENSIONS.items() if word in units), ("", ""))


_LOOK_UP = frozenset("dim lookup ref reference map mapping master info meta metadata details names codes rates".split())
_LOOK_UP |= frozenset("calendar config profile profiles detail settings attributes labels regions categories".split())
_COUNTED = frozenset(
    (
        "n num count counts clicks click visits views qty quantity units orders sales purchases events errors incidents"
        " calls logins sessions goals stock donations refunds returns messages days hits bookings downloads revenue"
        " spend spent rain rainfall precipitation discount tips bonus fee fees usage minutes"
    ).split()
)


def entity_of(column: str) -> str:
    """The thing that a key tells apart: `customer` for `customer_id`, `CustomerID` and `customer_key`."""
    words = column.replace("ID", "_id").lower().strip("_").split("_")
    words = [word for word in words if word]
    return "_".join(words[:-1]) if len(words) > 1 and words[-1] in ("id", "key", "uuid", "no", "nr", "number") else ""


def singular(name: str) -> str:
    """The singular of an English plural: `order` for `orders`, `city` for `cities`."""
    name = name.rpartition(".")[2].lower()
    if name.endswith("ies") and len(name) > 4:
        return name[:-3] + "y"
    if name.endswith(("sses", "xes", "ches", "shes")):
        return name[:-2]
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def is_one_each(table: str, key: str) -> bool:
    """Whether a table has one row for each value of a key, by its name: `customers` for `customer_id`, a look-up."""
    key, entity = key.lower(), entity_of(key)
    words = [word for word in table.lower().rpartition(".")[2].split("_") if word]
    if key in ("id", "uuid", "pk", "guid") or not _LOOK_UP.isdisjoint(words):
        return True
    last = entity.split("_")[-1] if entity else ""
    return bool(last) and any(singular(word) == last for word in words[-1:])


def is_counted(column: str) -> bool:
    """Whether a missing value of this column means that nothing was there: a number of clicks, an amount of rain."""
    return bool(words_of(column) & _COUNTED)


_PERSONAL = frozenset(
    (
        "email emails phone mobile ssn dob birthdate birthday birth address iban passport diagnosis diagnoses"
        " salary surname firstname lastname fullname medical customers patients employees applicants"
        " candidates students payroll contacts clients staff residents tenants medications icd illness"
        " religion ethnicity"
    ).split()
)
_NAMES = frozenset({"name", "full_name", "first_name", "last_name", "customer_name", "patient_name", "employee_name"})


def is_personal(name: str) -> bool:
    """Whether a column, or a file of rows, tells about people: `email`, `patients.csv`."""
    return bool(words_of(name) & _PERSONAL) or name.lower() in _NAMES
