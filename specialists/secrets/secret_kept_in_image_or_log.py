"""Leaves a secret in an image, a log or an artifact that others read."""

from supervisor.evidence.changes.edits import changes_and_new
from supervisor.evidence.configuration import Fault
from supervisor.evidence.effects import Act
from supervisor.methods.pattern import Pattern
from supervisor.methods.settings import Lesson, set_wrongly
from supervisor.specialist import Action, Context, Finding, Opinion, nudge, ok, specialist

_LESSON = Lesson(
    fault="leaves a secret in an image, a log or an artifact",
    correction="Pass it while building alone: `RUN --mount=type=secret,id=token …`; keep key files out with"
    " `.dockerignore`; let a step read it from its environment and print nothing.",
    sharper="Take the secret out of this file: whoever has the image or reads the log has it.",
)


@specialist("shell", "file_write", "file_edit", about=[Act.SETTING, Act.CODE])
def secret_kept_in_image_or_log(action: Action, context: Context) -> Opinion:
    found = set_wrongly(Fault.SECRET, _LESSON, action, context)
    return max(found, _for_browsers(action, context), key=lambda finding: finding.verdict)


# What a bundler copies into the pages, by how the name of the variable begins, and what is meant to be there.
_BUNDLED = Pattern(
    r"\b(?:NEXT_PUBLIC|NUXT_PUBLIC|VITE|REACT_APP|EXPO_PUBLIC|GATSBY|VUE_APP|NG_APP|STORYBOOK|PUBLIC|SNOWPACK_PUBLIC)_\w{0,60}"
    r"(?:SECRET|PASSWORD|PASSWD|PRIVATE_?KEY|SERVICE_?ROLE|ACCESS_TOKEN|ADMIN_(?:KEY|TOKEN)|AUTH_TOKEN|DATABASE_URL|DB_URL"
    r"|API_SECRET|SIGNING_KEY|(?:OPENAI|ANTHROPIC|STRIPE_SK|SENDGRID|TWILIO)_?\w{0,20}(?:KEY|TOKEN))\w{0,20}"
)
_MEANT = Pattern(
    r"(?i)publishable|public_?key|anon|site_?key|secret_?(?:name|id|path)|mapbox|recaptcha"
    r"|password_?(?:min|max|length|policy|reset|rules?)"
)


def _for_browsers(action: Action, context: Context) -> Finding:
    """A secret in a variable that a bundler copies into the pages for every visitor."""
    for edit in changes_and_new(action, context):
        found = next((each[0] for each in _BUNDLED.finditer(edit.after) if each[0] not in edit.before), "")
        if found and not _MEANT.search(found) and not edit.path.endswith((".md", ".mdx", ".txt")):
            return nudge(
                f"The bundler copies {found} into the pages, where every visitor can read it.",
                correction="Keep the secret on the server: a name without this prefix, read in a route of the"
                " server that the page calls.",
                sharper="Take the prefix off again, and call the service from the server.",
                evidence=(found,),
            )
    return ok()
