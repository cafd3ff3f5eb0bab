"""Words that name the same sort of thing, by their stems: what a classifier has learned of one holds for all.

A concept is written here once for every classifier; a word of none of them stands for itself.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

_SHORTEST = 3  # letters of a stem


@functools.lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A word without its commonest English endings: `guarantees`, `guaranteed` and `guarantee` are one."""
    for ending in ("ings", "ing", "edly", "ied", "ies", "ed", "es", "s", "ly", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "sle":
        word = word[:-1]
    return word.rstrip("e") if len(word.rstrip("e")) >= _SHORTEST else word


# concept -> words, any form of which counts
_WORDS: Mapping[str, str] = {
    "@disease": (
        "acne addiction adhd aids allergy alzheimer alzheimers anaemia anxiety arthritis asthma autism bronchitis "
        "cancer cholesterol cold coronavirus covid dementia depression diabetes eczema epilepsy fibromyalgia flu "
        "gout herpes hiv hypertension infection inflammation influenza insomnia leukaemia leukemia lupus malaria "
        "melanoma migraine obesity osteoporosis parkinson parkinsons pneumonia psoriasis rheumatism sclerosis "
        "stroke tinnitus thyroid tuberculosis tumour tumor ulcer virus"
    ),
    "@drug": (
        "antibiotic antidepressant aspirin beta blocker chemotherapy dose dosage drug ibuprofen inhaler insulin "
        "lithium medication medicine metformin opioid paracetamol pill prednisone prescription sertraline ssri "
        "statin steroid tablet thinner vaccine warfarin"
    ),
    "@doctor": "cardiologist clinician doctor gp hospital nurse pharmacist physician psychiatrist specialist surgeon",
    "@remedy": (
        "balm capsule cream detox drops elixir extract formula gel gummies herb herbal honey juice mushroom oil "
        "patch powder serum spray supplement syrup tea tincture tonic vitamin"
    ),
    "@return": "dividend earnings gain income interest payout profit return roi upside yield",
    "@invest": (
        "asset bond coin crypto cryptocurrency deposit etf fund invest investment investor portfolio property "
        "share stake stock token trade trading"
    ),
    "@law": (
        "appeal attorney case claim clause contract court custody divorce eviction judge jury landlord lawsuit "
        "lawyer legal liability litigation solicitor statute tenant tribunal verdict visa"
    ),
    "@amends": (
        "compensation coupon credit discount goodwill rebate reimbursement refund replacement upgrade voucher waiver"
    ),
    "@machine": "ai algorithm assistant automaton bot chatbot computer machine model program robot software",
    "@person": "human person man woman guy employee",
    "@insult": (
        "arse asshole bastard bitch brainless clown coward cretin crap cunt damn degenerate dimwit disgrace "
        "disgusting dolt donkey dumb dumbass dunce embarrassment failure filth fool foolish freak fuck fucker "
        "fucking garbage halfwit hell idiot idiotic ignorant imbecile incompetent jerk joke lazy leech liar loser "
        "lowlife lunatic maggot moron moronic nitwit numbskull parasite pathetic pig rat retard ridiculous rubbish "
        "scum shit shitty simpleton slob stupid stupidity thief trash twat useless vermin waste weasel worm "
        "worthless wretch"
    ),
    "@harm": (
        "beat break burn bury crush destroy expose harm haunt hunt hurt kill murder punish regret ruin shoot smash "
        "stab strangle suffer wreck"
    ),
    "@secret": "cvc cvv otp passcode passphrase password pin seed ssn mnemonic credential login iban",
    "@heal": (
        "alleviate banish beat clear combat conquer cure curable defeat eliminate eradicate fight heal healed mend "
        "overcome prevent protect reduce regenerate regrow relieve relief remedy repair restore reverse shield "
        "shrink soothe treat treatment vanish vanquish disappear"
    ),
    "@sure": (
        "absolutely always assure assured bulletproof certain certainly clearly completely definitely fixed "
        "guarantee guaranteed guarantees promise promised safe secure sure surely undoubtedly whatsoever"
    ),
    "@rise": (
        "climb double earn explode grow increase multiply outperform quadruple rise skyrocket soar tenfold triple win"
    ),
    "@lose": "collapse crash decline decrease drop fall lose loss lost risk risky riskless shrink volatile",
    "@hurry": (
        "act asap fast final hurry immediately immediate instant instantly last minute now quick quickly rush soon "
        "tick ticking today tonight urgent urgently"
    ),
    "@gone": "disappear expire expires gone miss missing out running sold vanish",
    "@send": (
        "confirm dictate email enter forward give mail paste photograph provide read reply reveal send share "
        "submit supply tell text type upload verify write"
    ),
    "@take": (
        "administer begin cease come consume decrease discontinue double halve increase inject lower mix quit "
        "raise resume skip start stop swallow switch take taper"
    ),
    "@repay": (
        "compensate cover credited grant pay payback refund reimburse return waive waived approve approved offer "
        "offered"
    ),
    "@refuse": (
        "accept ban exclude excluded hire invite let prefer preferred preference refuse reject rejected rent serve "
        "want welcome considered"
    ),
    "@job": (
        "job position vacancy role team staff employ employee landlord tenancy lease flat apartment house room studio"
    ),
    "@free": "complimentary costless free gratis gratuitous",
    "@group": (
        "asian black buddhist catholic childless christian disabled disability european female foreigner foreign "
        "gay hindu hispanic immigrant jew jewish latino lesbian male migrant mother mum muslim pregnant pregnancy "
        "refugee religious straight transgender white women wheelchair"
    ),
    "@age": (
        "aged elderly fifties forties millennial older pensioner retiree senior sixties thirties twenties young "
        "youthful"
    ),
    "@applicant": "applicant applicants candidate candidates guest guests hire hires renter renters tenant tenants",
    "@week": "day days hour hours minute minutes month months second seconds week weeks year years",
    "@stock": "available left place remaining room seat slot spot stock ticket unit",
    "@buy": "book buy claim grab order pay purchase secure snap",
}


def _by_stem() -> dict[str, str]:
    found: dict[str, str] = {}
    for concept, words in _WORDS.items():
        for word in words.split():
            found.setdefault(stem(word), concept)
    return found


CONCEPTS: Mapping[str, str] = _by_stem()
