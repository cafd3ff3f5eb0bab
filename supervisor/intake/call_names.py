"""Words in the names of tools that say what kind of call it is, and further names of its arguments: data that
`call_kinds` reads."""

from __future__ import annotations

from typing import NamedTuple


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Wording(NamedTuple):
    """How the tools of a kind are named: a verb with a thing, in either order, or a verb that needs no thing.

    `fillers` may stand with them and change nothing. The call needs an argument for every part in `parts`, or for one
    part of each group.
    """

    verbs: frozenset[str]
    things: frozenset[str]
    alone: frozenset[str]
    fillers: frozenset[str]
    parts: tuple[tuple[str, ...], ...]


# There are none of `report`, `finish`, `ask_user` and `click`: many specialists of a tool that is not known do not
# judge these kinds, and a guess would take the call away from them.
_ARTICLES = "a an the my new this v1 v2 api async by with in on via and to for from of now"
WORDINGS: dict[str, Wording] = {
    "message": Wording(
        _names("send post reply respond deliver write create add answer forward dispatch submit"),
        _names("email mail message sms mms dm whatsapp slack telegram chat comment tweet gmail outlook imessage reply"),
        _names("reply respond email mail sms dm"),
        _names(
            f"{_ARTICLES} customer client user channel direct thread ticket conversation contact recipient html plain"
            " group private text instant attachment attachments mailgun sendgrid twilio teams discord"
        ),
        (("body",),),
    ),
    "payment": Wording(
        _names("send make create submit execute initiate wire transfer pay settle issue schedule perform process move"),
        _names("money payment transfer fund wire remittance payout invoice"),
        _names("transfer wire pay"),
        _names(
            f"{_ARTICLES} bank sepa ach swift iban domestic international instant outgoing external vendor supplier"
            " person contact payee recipient"
        ),
        (("payee",), ("amount",)),
    ),
    "refund": Wording(
        _names("issue create process make submit refund initiate give grant post execute reimburse return"),
        _names("refund reimbursement"),
        _names("refund reimburse"),
        _names(f"{_ARTICLES} order customer purchase payment payments money full partial shopify stripe"),
        (("order",),),
    ),
    "browse": Wording(
        _names("navigate goto visit open go browse load"),
        _names("page url site website tab webpage browser"),
        _names("navigate goto visit"),
        _names(f"{_ARTICLES} web link current puppeteer playwright chrome"),
        (("url",),),
    ),
    "form": Wording(
        _names("type fill input enter submit"),
        _names("text form field input page element browser box"),
        _names("fill"),
        _names(f"{_ARTICLES} out web puppeteer playwright chrome"),
        (("value",),),
    ),
}
# A tool with one of these words does not do what its verb says: it reads, takes back, prepares or tries.
NOT_DONE = _names(
    "get list search find read fetch retrieve lookup query count check show view describe download export watch"
    " cancel undo stop unsend retract recall delete remove archive draft preview simulate test validate verify estimate"
    " calculate quote template schedule_status status history settings config log logs webhook subscribe unsubscribe"
    " parse format translate summarize classify label mark"
)
# Arguments that say where a message or a form is. They add nothing that only the specialists of another tool judge.
BESIDE = _names("email_id message_id thread_id in_reply_to reply_all page_url form_action submit_url")
# By kind, further names of each part, most usual first. The names in `kinds` go before them.
FURTHER: dict[str, dict[str, tuple[str, ...]]] = {
    "message": {
        "to": (
            *("recipient_email", "to_email", "email_to", "to_address", "to_addresses", "email_address", "send_to"),
            *("recipient_emails", "receiver", "addressee", "addressees", "phone_number", "to_number", "to_phone"),
            *("channel_id", "channel_name", "chat_id", "to_recipients"),
        ),
        "cc": ("cc_recipients", "cc_addresses", "cc_emails", "carbon_copy"),
        "bcc": ("bcc_recipients", "bcc_addresses", "bcc_emails", "blind_copy", "blind_carbon_copy"),
        "subject": ("subject_line", "email_subject", "message_subject"),
        "body": (
            *("message_body", "message_text", "email_body", "html_body", "text_body", "body_text", "body_html"),
            *("message_content", "email_content", "plain_text", "markdown_text", "msg"),
        ),
    },
    "payment": {
        "payee": (
            *("payee_name", "beneficiary", "beneficiary_name", "recipient_name", "pay_to", "creditor", "receiver"),
            *("payee_id", "recipient_id", "beneficiary_id", "recipient_iban", "recipient_account", "to_account"),
            *("destination_account", "iban_number", "account_number", "vendor", "supplier"),
        ),
        "amount": (
            *("payment_amount", "sum", "total_amount", "amount_to_pay", "transfer_amount"),
            *("amount_usd", "amount_eur", "amount_gbp"),
        ),
        "currency": ("currency_code", "ccy"),
        "note": ("payment_reference", "remittance_information", "message"),
    },
    "refund": {
        "order": ("order_no", "order_number", "order_ref", "order_reference", "order_uuid", "reference", "ref"),
        "amount": ("refund_amount", "sum", "total_amount", "value", "amount_to_refund"),
        "currency": ("currency_code", "ccy"),
        "reason": ("refund_reason", "cause"),
    },
    "report": {
        "text": ("report_text", "report_body", "markdown", "article", "answer"),
        "citations": ("bibliography", "citation_list", "cited_sources", "source_list"),
        "quote": ("quotation",),
        "url": ("source_link", "link"),
    },
    "ask_user": {"question": ("clarifying_question", "question_text")},
    "finish": {"summary": ("final_answer", "output", "final_response", "final_summary")},
    "browse": {"url": ("address", "target", "page_url", "website", "site")},
    "click": {
        "url": ("link_url",),
        "element": ("target", "element_description", "label", "button", "button_text", "link_text", "selector"),
    },
    "form": {
        "value": ("content", "input_text", "text_to_type", "input_value", "field_value", "fields"),
        "element": ("target", "label", "selector", "field_name", "element_description"),
    },
}
