"""Words of outputs and of the user that speak against an act, or for it."""

from __future__ import annotations

import re

from supervisor.evidence.relations.atoms import atoms_in, folded
from supervisor.evidence.relations.seen import Features, Seen, stems

# Words of outputs that speak against an act, by what they say. Folded stems in several languages.
GATES = {
    "hold": r"\bon hold\b|\bhold\b|block\w*|gesperrt|sperr\w*|bloque\w*|blocc\w*|zablok\w*|sparr\w*|frozen|suspend\w*|locked|freeze|embargo\w*|sperrfrist|保留|停止",
    "closed": r"\b(?:closed|cancell?ed|void|expired|ended|abgelaufen|annull\w*|storniert|vencid\w*|caducad\w*|expirad\w*|scadut\w*|wygasl\w*|resigned|terminated|deceased|inactive|deleted|superseded|obsolete|outdated|withdrawn|retracted|rejected|declined|denied)\b",
    "pending": r"\b(?:pending|waiting|awaiting|not yet|draft|proposed|unconfirmed|provisional|tentative|in review|under review|open question|ausstehend|offen|en attente|pendiente|pendente|in attesa|w toku|to be confirmed|tbc|tbd|unsigned|not signed)\b",
    "unverified": r"\b(?:not verified|unverified|verified: false|no verification|not confirmed|cannot verify|identity|mismatch|does not match|doesn't match|no match|nicht verifiziert|non verifie|failed verification|wrong answer|unknown caller)\b|verified\W{1,3}false",
    "done": r"\b(?:already|duplicate|paid|refunded|sent|bereits|schon|deja|ya (?:esta|fue|se)|gia|juz|redan|jo maksettu|settled|processed|completed|done)\b",
    "deny": r"\b(?:do not|don't|dont|never|must not|may not|not allowed|forbidden|prohibited|no longer|not permitted|cannot|can't|nicht|kein\w*|verboten|niemals|interdit\w*|ne pas|jamais|prohibid\w*|nunca|no se|non si|vietat\w*|mai|zakaz\w*|nie wolno|inte|aldrig|forbjud\w*|ei saa|nao|proibid\w*|niet|nooit)\b|禁止|不可|不得|ないで|しないこと|금지",
    "only": r"\b(?:only|except|unless|nur|ausser|seulement|uniquement|sauf|solo|solamente|salvo|tylko|endast|bara|vain|apenas|somente|alleen|exclusively)\b|のみ|だけ|만\b|仅",
    "must": r"\b(?:must|required?|requires|needs?|mandatory|has to|have to|first|before|prior|after|muss|mussen|erforderlich|vorher|doit|avant|obligatoire|debe|antes|obligatori\w*|deve|prima|musi|przed|maste|innan|fore|ennen|moet|voor)\b|必须|必要|先に|まで|전에",
    "limit": r"\b(?:max(?:imum)?|limit\w*|at most|up to|no more than|over|above|below|exceed\w*|cap|threshold|hochstens|maximal|grenze|jusqu'a|plafond|hasta|maximo|fino a|do|powyzej|hogst|enintaan|ate)\b|以上|以下|以内|상한",
    "approval": r"\b(?:approv\w*|sign-?off|authori[sz]\w*|consent\w*|freigabe|genehmig\w*|zustimm\w*|accord|aprob\w*|aprov\w*|autoriz\w*|approva\w*|zgod\w*|godkann\w*|hyvaksy\w*|toestemming|permission)\b|承認|同意|승인",
    "secret": r"\b(?:confidential\w*|internal|secret|private|restricted|personal|sensitive|vertraulich\w*|intern\w*|geheim|confidentiel\w*|interne|confidencial|reservad\w*|riservat\w*|intern[oa]|poufn\w*|konfidentiell\w*|luottamuksell\w*|nda|do not share|do not forward)\b|社外秘|機密|내부",
    "fraud": r"\b(?:fraud\w*|suspicious|phishing|scam|spoof\w*|suspected|flagged|chargeback|sanction\w*|watchlist|impersonat\w*|betrug|verdacht|fraude|sospech\w*|truffa|oszust\w*|bedrageri)\b",
    "refused": r"\b(?:unsubscrib\w*|opt(?:ed)?[- ]?out|no consent|objected|do not contact|dnc|refus\w*|declin\w*|withdrew|abgemeldet|widerspruch|desabonn\w*|baja|cancelad[oa]|wypisa\w*)\b|consent\W{1,3}(?:false|no|none)",
    "failed": r"\b(?:error|fail\w*|timeout|timed out|not found|unavailable|exception|denied|could not|no results|no matches|empty|fehler|echec|introuvable|errore|blad|sin resultados|kein\w* treffer|encrypted|unreadable|404|500|403)\b",
    "short": r"\b(?:sold out|out of stock|unavailable|0 left|no seats|full|booked|busy|conflict\w*|overlap\w*|overbook\w*|ausverkauft|belegt|complet|agotado|esaurit\w*|ocupad[oa]|occupat\w*|zajet\w*|upptagen)\b|available\W{1,3}0\b",
    "test": r"\b(?:test|sandbox|demo|sample|example|dummy|training|placeholder|template|muster|vorlage|modele|plantilla|modello|szablon|mall)\b",
    "production": r"\b(?:production|live|prod|real customers?)\b",
    "final": r"\b(?:final sale|non-?refundable|no refunds?|irreversib\w*|cannot be undone|permanent\w*|no return\w*|nicht erstattungsfahig|non remboursable|no reembolsable|non rimborsabile)\b",
    "minor": r"\b(?:minor|child\w*|under (?:16|18)|aged? 1[0-7]|underage|kind|enfant|menor|minore|barn)\b",
    "correction": r"\b(?:correct\w*|instead|actually|sorry|typo|wrong|mistake|changed|update[sd]?|new|revised|now|korrektur|statt|stattdessen|desole|plutot|perdon|mejor|invece|zamiast|istallet)\b",
}
_GATES = {name: re.compile(pattern) for name, pattern in GATES.items()}
_YES = re.compile(
    r"\b(?:approved|ok'?d|confirmed|cleared|signed(?: off)?|verified: true|go ahead|agreed|accepted|granted|freigegeben|genehmigt|bestatigt|approuve|valide|aprobad\w*|aprovad\w*|confirmad\w*|approvat\w*|confermat\w*|zatwierdz\w*|godkan\w*|hyvaksytty|passed|consent\W{1,3}(?:yes|true))\b|verified\W{1,3}true|承認済|확인"
)


def gates(seen: Seen, found: Features) -> None:
    """Features of such words, by kind, and of how near they stand to the action."""
    slots, have = seen.slots, seen.known
    keys = {
        (atom.sort, atom.key)
        for slot in slots
        for atom in slot.atoms
        if atom.sort in ("code", "mail", "account", "name", "number")
    }
    mine = stems(" ".join(slot.text[:600] + " " + " ".join(slot.label) for slot in slots))
    lines = [line for source in have.outputs for line in source.lines][-300:]
    for line in lines:
        low = folded(line[:400])
        hits = [name for name, pattern in _GATES.items() if pattern.search(low)]
        if not hits and not _YES.search(low):
            continue
        linked = any((atom.sort, atom.key) in keys for atom in atoms_in(line))
        overlap = len(stems(line) & mine)
        for name in hits:
            found[f"gate.{name}"] += 1
            if linked:
                found[f"gate.{name}.linked"] += 1
            if overlap >= 2:
                found[f"gate.{name}.near"] += 1
        if _YES.search(low):
            found["yes"] += 1
            found["yes.linked"] += linked
    task = folded(have.task.text)
    for name, pattern in _GATES.items():
        found[f"task.{name}"] += bool(pattern.search(task))
    text = folded("\n".join(slot.text for slot in slots))
    for name in ("test", "production", "secret", "pending", "correction", "approval", "hold", "deny", "limit"):
        found[f"mine.{name}"] += bool(_GATES[name].search(text))
