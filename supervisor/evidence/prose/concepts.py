"""Concepts: sets of words for the same sort of thing, by their stems. A classifier treats them alike.

Every classifier uses these concepts; a word of no concept is its own.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

_SHORTEST = 3  # letters of a stem


@functools.lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A word without its commonest English endings: `guarantees`, `guaranteed` and `guarantee` have the same stem."""
    for ending in ("ings", "ing", "edly", "ied", "ies", "ed", "es", "s", "ly", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "sle":
        word = word[:-1]
    return word.rstrip("e") if len(word.rstrip("e")) >= _SHORTEST else word


# concept -> words, in any of their forms
_WORDS: Mapping[str, str] = {
    "@disease": (
        "acne addiction adhd aids allergy alzheimer alzheimers anaemia anxiety appendicitis arthritis asthma "
        "autism backache bleeding bloating bronchitis burnout cancer cataract cholesterol cold colic coronavirus "
        "cough covid cramps dementia depression dermatitis diabetes dizziness eczema endometriosis epilepsy fever "
        "fibromyalgia flu fracture gastritis glaucoma gout hayfever headache heartburn hepatitis herpes hiv "
        "hypertension ibs infection inflammation inflammatory influenza insomnia itching kidney leukaemia leukemia "
        "lump lupus lyme malaria measles melanoma menopause migraine neuropathy numbness obesity ocd osteoporosis "
        "pain palpitations panic parkinson parkinsons pcos pneumonia psoriasis ptsd rash reflux rheumatism "
        "rheumatoid rosacea schizophrenia sciatica sclerosis seizure shingles sinusitis stress stroke swelling "
        "thyroid tinnitus tonsillitis tuberculosis tumor tumour ulcer varicose vertigo virus wart wound"
    ),
    "@drug": (
        "adderall amoxicillin antibiotic anticoagulant antidepressant antihistamine aspirin benzodiazepine beta "
        "blocker chemo chemotherapy cortisone diazepam dosage dose drug heparin hormone ibuprofen inhaler "
        "injection insulin levothyroxine lexapro lisinopril lithium medication medicine melatonin metformin "
        "methadone morphine naproxen omeprazole opioid ozempic painkiller paracetamol penicillin pill prednisone "
        "prescription prozac ritalin sedative semaglutide sertraline ssri statin steroid tablet thinner tramadol "
        "tylenol vaccination vaccine valium warfarin xanax zoloft"
    ),
    "@doctor": (
        "cardiologist clinician dentist dermatologist dietitian doctor gp hospital midwife neurologist nurse "
        "nutritionist oncologist paediatrician paramedic pediatrician pharmacist physician physiotherapist "
        "psychiatrist psychologist specialist surgeon therapist vet veterinarian"
    ),
    "@remedy": (
        "bracelet capsule cbd cleanse collagen cream crystal detox diet drink drops elixir essence extract formula "
        "garlic gel ginger gummies herb herbal honey juice kefir kombucha lozenge magnet mask mushroom oil oils "
        "ointment pad patch pendant powder probiotic programme salve serum smoothie soap spray supplement syrup "
        "tea tincture tonic tonics turmeric vitamin"
    ),
    "@return": (
        "apy dividend dividends earnings gain gains income interest payout payouts principal profit return revenue "
        "roi savings upside yield yields"
    ),
    "@invest": (
        "asset bitcoin bond broker capital coin crypto cryptocurrency deposit equity etf ethereum forex fund "
        "futures index infrastructure invest investment investor nft option pension portfolio property reit share "
        "stake staking stock token trade trading treasury"
    ),
    "@law": (
        "appeal attorney case claim clause contract court custody divorce eviction judge jury landlord lawsuit "
        "lawyer legal liability litigation solicitor statute tenant tribunal verdict visa"
    ),
    "@amends": (
        "allowance cashback comp compensation coupon credit deduction discount exchange freebie gift goodwill "
        "makegood rebate rebates redress refund reimbursement repayment replacement surcharge upgrade voucher "
        "waiver"
    ),
    "@machine": (
        "ai algorithm assistant automated automation automaton bot chatbot code computer llm machine model program "
        "robot software virtual voicebot"
    ),
    "@person": "employee guy human humans live man person representative woman",
    "@insult": (
        "annoying arse asshole bastard bitch bozo brainless brat buffoon clown contemptible coward crap creep "
        "cretin crook cunt damn degenerate deplorable dimwit disgrace disgust disgusting dolt donkey dope dumb "
        "dumbass dunce embarrassment failure filth fool foolish freak fuck fucker fucking garbage goon hag halfwit "
        "hideous horrible idiot idiotic ignorant imbecile incompetent insufferable jerk knucklehead laughable lazy "
        "leech liar liars loser lowlife lunatic maggot miserable moron moronic nasty nitwit numbskull oaf parasite "
        "pathetic peasant pig prick psycho retard revolting ridiculous rubbish scum scumbag shit shitty simpleton "
        "sissy slob slut stupid stupidity sucker thief trash trashy twat ugly useless vermin waste weasel whore "
        "wimp worm worthless wretch"
    ),
    "@harm": (
        "beat blackmail bleed break burn bury choke crush destroy expose harm haunt hunt hurt kill murder punish "
        "regret ruin shoot smash stab strangle suffer wreck"
    ),
    "@secret": (
        "authenticator credential cvc cvv digits iban login maiden mnemonic otp passcode passphrase password "
        "passwords passwort pin pincode recovery secrets security seed ssn verification"
    ),
    "@heal": (
        "alleviate banish beat clear combat conquer curable cure defeat detoxify disappear ease eliminate "
        "eradicate eradicates fight heal healed kills lowers melt mend overcome prevent protect reduce regenerate "
        "regrow relief relieve remedy repair restore reverse rid rids shield shrink soothe treat treatment undo "
        "vanish vanquish"
    ),
    "@sure": (
        "absolutely always assure assured bulletproof certain certainly clearly completely definitely doubt fixed "
        "guarantee guaranteed guarantees inevitably promise promised safe secure sure surely undoubtedly "
        "whatsoever zero"
    ),
    "@rise": (
        "boom climb double doubling earn earning explode grow increase moon multiply outperform quadruple rise "
        "skyrocket soar tenfold triple tripling win"
    ),
    "@lose": ("collapse crash decline decrease drop fall lose loss lost risk riskless risky shrink volatile"),
    "@hurry": (
        "act asap deadline expiring fast final flash hurry immediate immediately instant instantly minute now "
        "quick quickly rush soon tick ticking today tonight urgent urgently"
    ),
    "@gone": "disappear evaporate expire expires gone miss missing out running sold vanish vanished",
    "@send": (
        "confirm dictate dm email enter forward give mail paste photograph provide read reply reveal send share "
        "submit supply tell text type upload verify write"
    ),
    "@take": (
        "administer begin cease come consume decrease discontinue double halve increase inject lower mix quit "
        "raise resume skip start stop swallow switch take taper"
    ),
    "@repay": (
        "absorb approve approved compensate cover credited grant honor honour knock match offer offered pay "
        "payback refund refunding reimburse return settle throw waive waived"
    ),
    "@refuse": (
        "accept ban considered exclude excluded hire invite let prefer preference preferred refuse reject rejected "
        "rent serve want welcome"
    ),
    "@job": (
        "apartment employ employee flat house job landlord lease position role room staff studio team tenancy vacancy"
    ),
    "@free": "complimentary costless free gratis gratuitous",
    "@group": (
        "arab asian atheist autistic black blind buddhist catholic child childless children chinese christian deaf "
        "disability disabled european families family female foreign foreigner gay gays girls hindu hispanic "
        "immigrant immigrants indian jew jewish kid kids latino lesbian male mexican migrant mother mum mums "
        "muslim parent parents polish pregnancy pregnant refugee religious romanian russian straight trans "
        "transgender turkish ukrainian veteran wheelchair white widow women"
    ),
    "@age": (
        "aged boomer elderly fifties forties grads graduate graduates millennial older pensioner retiree senior "
        "sixties thirties twenties young younger youth youthful"
    ),
    "@applicant": ("applicant applicants candidate candidates guest guests hire hires renter renters tenant tenants"),
    "@week": "day days hour hours minute minutes month months second seconds week weeks year years",
    "@stock": (
        "available left limited pieces place remaining room seat slot spaces spot spots stock supplies ticket unit"
    ),
    "@buy": "book buy claim grab order pay purchase secure snap",
}


def _by_stem() -> dict[str, str]:
    found: dict[str, str] = {}
    for concept, words in _WORDS.items():
        for word in words.split():
            found.setdefault(stem(word), concept)
    return found


CONCEPTS: Mapping[str, str] = _by_stem()
