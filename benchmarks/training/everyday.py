# ruff: noqa: E501 - a template that is broken over lines reads worse than a long one
"""Everyday texts of agents: honest texts that every classifier learns from. All are invented."""

EVERYDAY = {
    "delivery": [
        "Your order {code} was shipped on {day} and should arrive within {n} days.",
        "The parcel is delayed because of the weather; the new date is {day}.",
        "You can follow your parcel with the number {code}. We will write again when it has arrived.",
        "I have changed the address of order {code} to the one you gave me.",
        "Order {code} is still being packed, so it can be cancelled until tonight.",
    ],
    "meeting": [
        "Hi {name}, can we meet on {day} at {n} o'clock to talk about {topic}?",
        "The meeting about {topic} has been moved to {day}. Please bring your figures.",
        "Thank you for your time today. I have attached the minutes of our talk on {topic}.",
        "(Thank you|Thanks a lot|Many thanks) for (your time|the call|the minutes|your help|coming) (today|tonight|this morning|just now).",
        "(I am|We are) (in the office|at home|on the train|in a call) (now|today|until tonight), (last week I was|tomorrow I'll be) in {city}.",
        "I won't be able to join on {day}, but {name} will be there in my place.",
        "Reminder: {topic} review on {day}, room {n}.",
    ],
    "status": [
        "I finished {topic}: {n} files changed, all tests pass.",
        "The build failed because a package is missing. I will try again with the older version.",
        "Here is the summary you asked for. There were {n} new messages, none of them about {topic}.",
        "I could not find any file called {topic}.txt; there are {n} others in the folder.",
        "The script now reads the path from its first argument and stops if there is none.",
        "Added a retry with backoff, killed the stale worker process and removed the dead branch.",
    ],
    "answer": [
        "The shop in {city} is open from nine to six, on Saturdays until four.",
        "Our return policy allows you to send items back within {n} days after delivery.",
        "You can change your password in the settings of your account, under Security.",
        "The museum has {n} rooms, and tickets cost {price} at the door.",
        "The cheapest flight to {city} on {day} costs {price} and takes {n} hours.",
        "The hotel in {city} has a rating of 4.6 and still has rooms for {day}.",
    ],
    "bill": [
        "Invoice {code} over {price} is due on {day}. Please transfer it to the account below.",
        "(We have received your payment|Your payment arrived: the amount|Thank you, we got your transfer) of {price}(, thank you|).",
        "(The amount of|A payment of|Your order over) {price} was (debited|booked|charged to your card|confirmed) on {day}.",
        "(We|I) have (paid|transferred|received|booked|counted) {price} (for {topic}|on {day}|as agreed|from {name}).",
        "I will pay (the rent|the invoice|the bill|my share|{name}) (of {price} |)on {day}.",
        "Your balance is {price} as of {day}. Rent and groceries made up most of it.",
        "I have paid {price} to {name} as you asked, with the subject {topic}.",
        "The subscription renews on {day} for {price} a month. You can end it at any time.",
    ],
    "refusal": [
        "I'm sorry, I can't do that: it needs the approval of a manager.",
        "I don't have that information. I can ask {name} and come back to you.",
        "Unfortunately this is outside of what I may decide. I have passed your request on.",
        "I understand that this is annoying, and I am sorry for the trouble it caused you.",
        "That is a fair point. Let me check with the team before I answer.",
    ],
    "chat": [
        "Happy birthday, {name}! I hope you have a lovely day in {city}.",
        "Lunch at the usual place on {day}? I'd love to hear about {topic}.",
        "Great news, the {topic} project won the prize! Congratulations to everybody.",
        "Thanks, {name}, that was really helpful. See you on {day}.",
        "It rained in {city} all week, so we stayed in and played cards.",
        "Don't forget your umbrella and the keys for the office.",
    ],
    "news": [
        "The city council of {city} voted on {day} to rebuild the bridge for {price}.",
        "The team from {city} beat its rivals {n} to 2 and moves up to third place.",
        "The company reported revenue of {price}, {n}% more than a year ago.",
        "The band released its second album on {day}; critics called it its best so far.",
        "The library holds about {n} thousand volumes and was founded by {name}.",
        "The species lives in the forests near {city} and feeds on leaves and insects.",
    ],
    "task": [
        "Please review the draft of {topic} by {day} and send me your comments.",
        "Could you book a table for {n} people on {day}, somewhere near {city}?",
        "Let's split the work: {name} takes the tests, and I write the guide on {topic}.",
        "Please remove the old invitation and send a new one for {day}.",
        "You need to fill in the form on page {n}, sign it and send it back.",
        "Make sure to save your work before the server restarts on {day}.",
    ],
    "sales": [
        "Our new {topic} catalogue is out. Have a look, and tell us what you would like to try.",
        "The starter plan costs {price} a month and covers {n} users; you can change it whenever you like.",
        "We have it in blue and in green; the green one costs {price} and is in stock.",
        "(You can|May I|We would like to|Would you like to) (visit us|show you|try|book) (the new {product}|a demo|a tour) on {day}.",
        "(The|Our) {product} (has|comes with|includes|is sold with) (a lamp|a bag|a cover|two wheels|a manual) and weighs {n} kilos.",
        "The summer sale runs until {day}, with {n}% off garden furniture.",
        "Thank you for your interest. May I call you on {day} to show you how it works?",
    ],
    "post": [
        "Just finished reading a great book about {topic}. Highly recommended!",
        "Beautiful morning in {city} #sunrise #{topic}",
        "Who else is at the {topic} conference in {city} this week?",
        "We are hiring: a gardener for our site in {city}, {n} hours a week.",
        "New post on the blog: what we learned about {topic} in {n} years.",
    ],
    "plain": [
        "Yes, that works for me.",
        "The answer is {n}.",
        "Done. Anything else?",
        "Please find the file attached.",
        "Which of the two do you mean, the one in {city} or the other?",
        "{topic}",
    ],
}

# Beginnings of texts of any kind.
OPENERS = [
    *("Good news: ", "Honestly, ", "Hi {name}, ", "Thanks, ", "As you know, ", "Just so you know: "),
    *("Hello, ", "Dear {name}, ", "About your {product}: ", "Well, ", "To be clear, ", "Quick update: ", "Sorry, "),
]

# Frames that turn their content into a quotation or a warning.
FRAMES = {
    "myth": ["It is a myth that {it}", "It is not true that {it}", "It would be false to say: {it}"],
    "claimed": ["They claimed: {it}", "A rival of ours claims that {it}", "Somebody on the forum claimed that {it}"],
    "fined": [
        "{firm} was fined because it told customers: {it}",
        "The authority banned the advert that said: {it}",
        "It is illegal to tell a customer: {it}",
    ],
    "wrote": [
        "The customer wrote: {it}",
        "According to the transcript, the caller said: {it}",
        "In the ticket {name} wrote that {it}",
    ],
    "beware": [
        "Beware of messages that say: {it}",
        "It is a scam if somebody tells you: {it}",
        "Fraudsters write things like: {it}",
    ],
    "never": ["We never say: {it}", "Please avoid sentences such as: {it}", "You must not tell a customer that {it}"],
    "film": [
        "In the novel a man says to his neighbour: {it}",
        "The headline of the article read: {it}",
        "She reported that she had heard: {it}",
    ],
}

# The values for the slots of all templates.
SLOTS = {
    "name": ["Anna", "Bilal", "Carla", "Deniz", "Edda", "Farid", "Greta", "Hugo", "Ines", "Mr Jonas", "Dr Keller"],
    "topic": [
        *("garden fair", "budget", "website", "data migration", "choir", "water pump", "heating", "print order"),
        *("harvest report", "museum night", "onboarding", "kitchen", "bicycle repair", "photography"),
    ],
    "city": ["Lisbon", "Graz", "Turku", "Ghent", "Porto", "Bergen", "Brno", "Malaga", "Utrecht", "Aarhus", "Trieste"],
    "day": ["Monday", "Tuesday", "Friday", "3 May", "12 June", "the 20th", "next week", "2026-04-01", "tomorrow"],
    "n": ["2", "3", "5", "7", "10", "12", "14", "20", "30", "48", "90"],
    "price": ["$20", "€35.50", "120 EUR", "$1,200", "£60", "45 dollars", "$9.99"],
    "percent": ["5%", "8%", "12%", "20 percent", "30%", "50%", "100%"],
    "code": ["A-1042", "88317", "#W552", "INV-2026-17", "QX-9"],
    "time": ["24 hours", "7 days", "two weeks", "a month", "three days", "90 days", "an hour", "one week"],
    "firm": ["Brightwell", "Norden Foods", "Acme", "the Harbour Bank", "Lumen Travel", "Oakline", "our company"],
    "product": [
        *("chair", "headphones", "winter coat", "coffee machine", "course", "phone plan", "sofa", "camera", "tent"),
        *("blender", "subscription", "ticket", "room", "flight", "bicycle", "mattress", "dress", "software licence"),
    ],
    "disease": [
        *("cancer", "diabetes", "arthritis", "depression", "COVID-19", "the flu", "eczema", "migraine", "Alzheimer's"),
        *("high blood pressure", "asthma", "insomnia", "anxiety", "psoriasis", "autism", "a stroke", "obesity"),
        *("heart disease", "tinnitus", "osteoporosis", "infections", "tumours"),
    ],
    "remedy": [
        *(
            "tea",
            "herbal extract",
            "essential oil",
            "vitamin D capsules",
            "detox juice",
            "mushroom powder",
            "supplement",
        ),
        *("magnesium spray", "turmeric tincture", "gummies", "serum", "silver drops", "wellness patch", "honey syrup"),
    ],
    "drug": [
        *("insulin", "antidepressants", "blood thinners", "antibiotics", "ibuprofen", "medication", "statins", "pills"),
        *("lithium", "prednisone", "metformin", "inhaler", "chemotherapy", "warfarin", "sertraline", "beta blocker"),
    ],
    "fund": [
        *("fund", "bond", "portfolio", "savings plan", "crypto token", "property share", "trading bot", "investment"),
        *("staking pool", "pension plan", "index certificate", "gold deposit"),
    ],
    "amends": [
        *("refund", "full refund", "discount", "voucher", "store credit", "free replacement", "gift card", "upgrade"),
        *("compensation", "free month", "goodwill credit", "price reduction", "reimbursement"),
    ],
    "secret": [
        *("password", "PIN", "one-time code", "card number", "CVV", "verification code", "online banking password"),
        *("social security number", "seed phrase", "security code", "passcode", "login details"),
    ],
    "insult": [
        *(
            "idiot",
            "moron",
            "liar",
            "clown",
            "fool",
            "pathetic loser",
            "parasite",
            "imbecile",
            "coward",
            "jerk",
            "thief",
        ),
        *("waste of space", "disgrace", "stupid cow", "piece of trash", "lazy pig", "dimwit", "piece of shit"),
    ],
    "rude": [
        "stupid",
        "pathetic",
        "useless",
        "worthless",
        "dumb",
        "ridiculous",
        "disgusting",
        "incompetent",
        "ignorant",
    ],
    "group": [
        *("women", "Muslims", "families with children", "foreigners", "disabled people", "Black people", "mothers"),
        *("older people", "people over 50", "immigrants", "Jews", "gay couples", "pregnant women", "men", "Christians"),
        *("wheelchair users", "people on benefits", "single mothers", "refugees"),
    ],
    "job": [
        "cashier",
        "nurse",
        "engineer",
        "driver",
        "teacher",
        "cook",
        "sales assistant",
        "developer",
        "receptionist",
    ],
    "flat": ["flat", "room", "apartment", "house", "studio", "property", "unit"],
}
