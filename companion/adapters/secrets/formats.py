"""Secrets that tell what they are by their own shape. Adding one is a line.

Shapes follow what the issuers document. `anchors` are lower-case words of which one must be in the
(lower-cased) text before the pattern is tried: most texts have none, and cost microseconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SecretFormat:
    """A kind of secret, the words that announce it, and its shape.

    Where the pattern has a group, the group is the secret; else the whole match.
    """

    kind: str
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]


def _format(kind: str, anchors: str, pattern: str) -> SecretFormat:
    return SecretFormat(kind, tuple(anchors.split()), re.compile(pattern))


_EDGE = r"(?<![A-Za-z0-9_])"
_END = r"(?![A-Za-z0-9_])"

FORMATS: tuple[SecretFormat, ...] = (
    _format(
        "private key",
        "private",
        r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?!-----BEGIN)[\s\S]){1,20000}?(?:-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    _format("private key", "putty-user-key-file", r"PuTTY-User-Key-File-[23]:[\s\S]{1,20000}?Private-MAC: \w+"),
    _format("age key", "age-secret-key-", _EDGE + r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _format("AWS access key", "akia asia abia acca a3t", _EDGE + r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}" + _END),
    _format("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", _EDGE + r"gh[pousr]_[A-Za-z0-9]{36,251}"),
    _format("GitHub token", "github_pat_", _EDGE + r"github_pat_[A-Za-z0-9_]{22,255}"),
    _format("GitLab token", "glpat- gldt- glft- glsoat- glrt- glcbt- glimt- glptt- glagent- gloas-", _EDGE + r"gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas)-[A-Za-z0-9_\-.]{20,}"),
    _format("GitLab token", "gr1348941", _EDGE + r"GR1348941[A-Za-z0-9_\-]{20,}"),
    _format("Slack token", "xox xapp-", _EDGE + r"(?:xox[abeoprs]|xapp|xoxe\.xox[bp])-[A-Za-z0-9\-]{10,}"),
    _format("Slack webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_\-]{20,})"),
    _format("Discord webhook", "discord", r"discord(?:app)?\.com/api/webhooks/\d{16,20}/([A-Za-z0-9_\-]{60,})"),
    _format("Discord token", ".", _EDGE + r"[MNO][A-Za-z0-9_\-]{23,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,38}" + _END),
    _format("Stripe key", "sk_live_ rk_live_ sk_test_ rk_test_ whsec_", _EDGE + r"(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})"),
    _format("Google API key", "aiza", _EDGE + r"AIza[A-Za-z0-9_\-]{35}" + _END),
    _format("Google OAuth secret", "gocspx-", _EDGE + r"GOCSPX-[A-Za-z0-9_\-]{20,}"),
    _format("Google OAuth token", "ya29.", _EDGE + r"ya29\.[A-Za-z0-9_\-]{20,}"),
    _format("OpenAI key", "sk-", _EDGE + r"sk-(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_\-]{20,}T3BlbkFJ[A-Za-z0-9_\-]{20,}"),
    _format("OpenAI key", "sk-proj- sk-svcacct- sk-admin-", _EDGE + r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_\-]{32,}"),
    _format("OpenAI key", "sk-", _EDGE + r"sk-[A-Za-z0-9]{40,64}" + _END),
    _format("Anthropic key", "sk-ant-", _EDGE + r"sk-ant-[A-Za-z0-9_\-]{24,}"),
    _format("OpenRouter key", "sk-or-", _EDGE + r"sk-or-(?:v1-)?[a-f0-9]{32,}"),
    _format("Hugging Face token", "hf_", _EDGE + r"hf_[A-Za-z0-9]{30,}" + _END),
    _format("Replicate token", "r8_", _EDGE + r"r8_[A-Za-z0-9]{36,}" + _END),
    _format("Groq key", "gsk_", _EDGE + r"gsk_[A-Za-z0-9]{40,}"),
    _format("Perplexity key", "pplx-", _EDGE + r"pplx-[A-Za-z0-9]{40,}"),
    _format("xAI key", "xai-", _EDGE + r"xai-[A-Za-z0-9]{60,}"),
    _format("npm token", "npm_", _EDGE + r"npm_[A-Za-z0-9]{36}" + _END),
    _format("PyPI token", "pypi-", _EDGE + r"pypi-[A-Za-z0-9_\-]{50,}"),
    _format("RubyGems key", "rubygems_", _EDGE + r"rubygems_[a-f0-9]{48}" + _END),
    _format("crates.io token", "cio", _EDGE + r"cio[A-Za-z0-9]{32}" + _END),
    _format("NuGet key", "oy2", _EDGE + r"oy2[a-z0-9]{43}" + _END),
    _format("Docker token", "dckr_", _EDGE + r"dckr_(?:pat|oat)_[A-Za-z0-9_\-]{20,}"),
    _format("SendGrid key", "sg.", _EDGE + r"SG\.[A-Za-z0-9_\-]{16,24}\.[A-Za-z0-9_\-]{40,48}"),
    _format("Mailgun key", "key-", _EDGE + r"key-[a-f0-9]{32}" + _END),
    _format("Mailchimp key", "-us", _EDGE + r"[a-f0-9]{32}-us\d{1,2}" + _END),
    _format("Brevo key", "xkeysib-", _EDGE + r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _format("Postmark token", "postmark", r"(?i)postmark[\w\-. ]{0,30}[=:]\s*[\"']?([a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12})"),
    _format("Twilio key", "sk ac", _EDGE + r"(?:SK|AC)[a-f0-9]{32}" + _END),
    _format("Telegram token", ":aa", _EDGE + r"\d{8,10}:AA[A-Za-z0-9_\-]{32,34}" + _END),
    _format("Shopify token", "shpat_ shpca_ shppa_ shpss_", _EDGE + r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _format("Square token", "sq0 eaaa", _EDGE + r"(?:sq0(?:atp|csp|idp)-[A-Za-z0-9_\-]{22,43}|EAAA[A-Za-z0-9_\-]{60})"),
    _format("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", _EDGE + r"do[opr]_v1_[a-f0-9]{64}"),
    _format("Heroku key", "hrku-", _EDGE + r"HRKU-[A-Za-z0-9_\-]{36,}"),
    _format("Fly.io token", "fm1r_ fm2_ fo1_", _EDGE + r"(?:fo1_[A-Za-z0-9_\-]{43}|fm(?:1r|2)_[A-Za-z0-9+/=_\-]{60,})"),
    _format("Vault token", "hvs. hvb. hvr.", _EDGE + r"hv[sbr]\.[A-Za-z0-9_\-]{24,}"),
    _format("Terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-=]{60,}"),
    _format("Databricks token", "dapi", _EDGE + r"dapi[a-f0-9]{32}(?:-\d)?" + _END),
    _format("New Relic key", "nrak- nrjs- nraa- nral", _EDGE + r"(?:NRAK-[A-Z0-9]{27}|NRJS-[a-f0-9]{19}|NRAA-[a-f0-9]{27})"),
    _format("Grafana token", "glsa_ glc_", _EDGE + r"(?:glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|glc_[A-Za-z0-9+/=]{32,})"),
    _format("Sentry token", "sntrys_ sntryu_", _EDGE + r"sntry[su]_[A-Za-z0-9+/=_\-]{40,}"),
    _format("Linear key", "lin_api_ lin_oauth_", _EDGE + r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    _format("Notion token", "secret_ ntn_", _EDGE + r"(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})" + _END),
    _format("Figma token", "figd_", _EDGE + r"figd_[A-Za-z0-9_\-]{36,}"),
    _format("Airtable token", "pat", _EDGE + r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _format("Atlassian token", "atatt3 atctt3", _EDGE + r"AT[AC]TT3[A-Za-z0-9_\-=]{50,}"),
    _format("Doppler token", "dp.pt. dp.st. dp.sa.", _EDGE + r"dp\.(?:pt|st|sa|ct|scim|audit)\.[A-Za-z0-9._\-]{40,}"),
    _format("PlanetScale token", "pscale_", _EDGE + r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_\-.=]{32,}"),
    _format("Supabase key", "sbp_ sb_secret_", _EDGE + r"(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_\-]{20,})"),
    _format("Azure key", "accountkey= sharedaccesskey=", r"(?i)(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{30,}={0,2})"),
    _format("Azure signature", "sig=", r"(?<=[?&])sig=([A-Za-z0-9%+/]{30,}(?:%3D|=)*)"),
    _format("Azure client secret", "q~", _EDGE + r"[A-Za-z0-9_~.\-]{3}\dQ~[A-Za-z0-9_~.\-]{31,34}"),
    _format("Alibaba key", "ltai", _EDGE + r"LTAI[A-Za-z0-9]{16,24}" + _END),
    _format("Facebook token", "eaac", _EDGE + r"EAAC[A-Za-z0-9]{40,}"),
    _format("JSON web token", "eyj", _EDGE + r"eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{16,}"),
    _format("1Password token", "ops_eyj", _EDGE + r"ops_eyJ[A-Za-z0-9+/=]{100,}"),
)  # fmt: skip
