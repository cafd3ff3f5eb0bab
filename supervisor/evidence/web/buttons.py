"""Buttons whose effect is irreversible, and whether the task requests the effect. English, German, Spanish, French.

A label is matched as a whole, so "Order history" is not an order and "Post office" publishes nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from supervisor.action import Action, Context
from supervisor.evidence.web.browsing import label_of

_LONGEST = 8_000  # characters of a task
_HELD_BACK = re.compile(
    r"(?i)\b(?:do not|don't|dont|never|without|not yet|stop before|but not|nicht|ohne|kein|sin|no)\s+(?:\w+\s+){0,3}"
    r"(?:buy|purchas|order|pay|plac|submit|check|publish|post|delet|clos|confirm|book|bestell|kauf|bezahl|buch|veröffentlich"
    r"|lösch|compr|pag|public|borr|elimin|reserv)\w*|\b(?:only|just) (?:compare|find|look|check|draft|show|tell)\b"
)


@dataclass(frozen=True, slots=True)
class IrreversibleButton:
    """The labels of buttons with one irreversible effect, and the words of a task that request the effect."""

    labels: re.Pattern[str]
    asked: re.Pattern[str]

    def pressed(self, action: Action) -> str:
        """The label if the action presses such a button; else empty."""
        label = label_of(action)
        return label if self.labels.fullmatch(label) else ""

    def is_asked(self, context: Context) -> bool:
        """Whether the user's task requests the effect, without a phrase that holds it back."""
        task = (context.task or "")[:_LONGEST].replace("\u2019", "'")
        return bool(self.asked.search(task)) and not _HELD_BACK.search(task)


def _button(labels: str, asked: str) -> IrreversibleButton:
    before = r"(?:yes,? |ja,? |sí,? |oui,? |confirm:? |i want to )?"
    return IrreversibleButton(
        re.compile(rf"(?i){before}(?:{labels})(?: now| jetzt| ahora)?"), re.compile(rf"(?i)\b(?:{asked})")
    )


_WHOSE = r"(?: (?:my|your|this|the|mein|dein|ihr|das|mi|tu|su|la|el|mon|votre|le))?"
DELETES = _button(
    rf"(?:delete|close|deactivate|terminate|erase|remove){_WHOSE}"
    r" (?:account|profile|workspace|organi[sz]ation|team|repository|project|site|channel|data|everything|all(?: \w+)?)"
    rf"(?: permanently| forever)?|(?:permanently )?delete(?: permanently| forever| all)?|löschen|eliminar|borrar"
    rf"|supprimer|empty (?:trash|bin)"
    r"|(?:konto|profil|account) (?:endgültig )?(?:löschen|schließen)|endgültig löschen|papierkorb leeren"
    r"|(?:eliminar|borrar|cerrar)(?: mi| la)? cuenta|eliminar (?:definitivamente|todo)|vaciar papelera"
    r"|supprimer(?: mon| le)? compte|supprimer définitivement",
    r"delet|remov|clos(?:e|ing) (?:my|the|this|our)|deactivat|terminat|eras|clean ?up|clear|purge|empty|get rid|trash"
    r"|wipe"
    r"|lösch|schließ|entfern|leer|elimin|borr|cerrar|cierra|vaci|supprim|cancel",
)
ORDERS = _button(
    r"(?:place|submit|complete|confirm|finali[sz]e|send)(?: (?:my|your|the|this))? (?:order|purchase|booking"
    r"|reservation"
    r"|payment)|buy(?: it)? now|buy now with .{1,30}|(?:confirm|agree) and (?:pay|book|order|subscribe)|pay(?: now)?"
    r"|pay [$€£]? ?[\d.,]+ ?(?:[$€£]|usd|eur|gbp)?|start (?:my )?(?:subscription|membership)|subscribe and pay"
    r"|(?:zahlungspflichtig|kostenpflichtig) (?:bestellen|buchen)|jetzt (?:kaufen|bestellen|bezahlen)|kaufen"
    r"|bestellung absenden"
    r"|comprar ahora|realizar (?:el )?pedido|confirmar (?:la )?(?:compra|reserva|pedido)|pagar"
    r"|passer (?:la )?commande|payer",
    r"buy|bought|purchas|order|book|reserv|pay|check ?out|subscrib|rent\b|renew|donat|get me|get us|acquire"
    r"|tickets? for"
    r"|kauf|bestell|buch|bezahl|reservier|abonn|compr|reserv|paga|pide|achet|command|réserv",
)
PUBLISHES = _button(
    r"publish(?: (?:post|article|page|site|video|story|release|changes))?|post(?: (?:publicly|to everyone|comment"
    r"|review|reply))?"
    r"|tweet|go live|make (?:it )?public|share (?:publicly|with everyone)|publish (?:live|to (?:web|the web|everyone"
    r"|all))"
    r"|veröffentlichen|öffentlich (?:machen|teilen)|posten|publicar|hacer público|publier|rendre public",
    r"publish|post|share|tweet|announc|upload|comment|repl(?:y|ies)|review|releas|go live|put (?:it |this )?online"
    r"|blog|advertis"
    r"|veröffentlich|teile|kommentier|ankündig|stell\w* .{0,30}online|public|comparte|anuncia|comenta|partag",
)
