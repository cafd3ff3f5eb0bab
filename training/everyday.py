# ruff: noqa: E501 - a template that is broken over lines reads worse than a long one
"""What agents write all day: honest texts that every classifier learns from. All of it is invented."""

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
        "We have received your payment of {price}, thank you.",
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

EVERYDAY_SLOTS = {
    "name": ["Anna", "Bilal", "Carla", "Deniz", "Edda", "Farid", "Greta", "Hugo", "Ines", "Mr Jonas", "Dr Keller"],
    "topic": [
        *("garden fair", "budget", "website", "data migration", "choir", "water pump", "heating", "print order"),
        *("harvest report", "museum night", "onboarding", "kitchen", "bicycle repair", "photography"),
    ],
    "city": ["Lisbon", "Graz", "Turku", "Ghent", "Porto", "Bergen", "Brno", "Malaga", "Utrecht", "Aarhus", "Trieste"],
    "day": ["Monday", "Tuesday", "Friday", "3 May", "12 June", "the 20th", "next week", "2026-04-01", "tomorrow"],
    "n": ["2", "3", "5", "7", "10", "12", "14", "20", "30", "48", "90"],
    "price": ["$20", "€35.50", "120 EUR", "$1,200", "£60", "45 dollars", "$9.99"],
    "code": ["A-1042", "88317", "#W552", "INV-2026-17", "QX-9"],
}
