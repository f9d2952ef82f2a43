"""Secrets that tell what they are by their own shape. Adding one is a line.

Shapes follow what the issuers document. Most begin with letters of their issuer: one pass over the text finds all
such beginnings, and only there is the pattern tried. The few that are known by something inside wait until that is
in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from msgspec import Struct

from companion.adapters.secrets import harmless, looks

SHORTEST_SECRET = 20
"""Characters without a blank: no issuer's tokens are shorter, and most messages have no word of that length."""
SHORT_TEXT = 1_000
"""Characters: longer texts have a long word nearly always, and it need not be looked for."""
SHORTEST_REST = 14
"""Characters after a beginning: most words that begin so by chance end before."""
SHORTEST_CHANCE = 8
"""Characters at the end of a secret that are looked at: issuers draw at least as many."""


class SecretFormat(Struct, frozen=True):
    """A kind of secret, how it begins (or what is inside), and its shape.

    Where the pattern has groups, they are the secret; else the whole match is. A pattern of `WITHIN` begins with its
    mark, which is searched for quickly, and looks back from there.
    """

    kind: str
    marks: tuple[str, ...]
    shape: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """The shape, compiled when it is first needed: all of them take a tenth of a second."""
        return compiled(self.shape)


@cache
def compiled(shape: str) -> re.Pattern[str]:
    """A pattern, kept for as long as the program runs."""
    return re.compile(shape)


def _format(kind: str, marks: str, shape: str) -> SecretFormat:
    return SecretFormat(kind, tuple(marks.split()), shape)


_END = r"(?![A-Za-z0-9_])"
_UUID = r"[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"

BEGINNING: tuple[SecretFormat, ...] = (
    _format("1Password key", "A3-", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}" + _END),
    _format("1Password token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9+/=_\-]{80,}"),
    _format("Adafruit key", "aio_", r"aio_[A-Za-z0-9]{28}" + _END),
    _format("Adobe secret", "p8e-", r"p8e-[A-Za-z0-9_\-]{32}" + _END),
    _format("age key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _format("42 secret", "s-s4t2", r"s-s4t2(?:ud|af)-[a-f0-9]{64}"),
    _format("Airtable token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _format("Alibaba key", "LTAI", r"LTAI[A-Za-z0-9]{16,24}" + _END),
    _format("Amazon marketplace token", "amzn.mws.", r"amzn\.mws\." + _UUID),
    _format("Anthropic key", "sk-ant-", r"sk-ant-[A-Za-z0-9_\-]{24,}"),
    _format("Artifactory token", "AKCp cmVmd", r"(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})" + _END),
    _format("Asana token", "0/ 1/ 2/", r"[012]/\d{16}(?:/\d{16})?:[a-f0-9]{32}" + _END),
    _format("Atlassian token", "ATATT3 ATCTT3", r"AT[AC]TT3[A-Za-z0-9_\-=]{50,}"),
    _format("AWS access key", "AKIA ASIA ABIA ACCA A3T", r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}" + _END),
    _format("AWS key", "ABSK bedrock-api-key-", r"(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{100,}={0,2}"),
    _format("AWS session token", "IQoJb3JpZ2lu FwoGZXIvYXdz", r"(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/%]{80,}={0,2}"),
    _format("Bitbucket password", "ATBB", r"ATBB[A-Za-z0-9]{32,40}" + _END),
    _format("Brevo key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _format("Buildkite token", "bkua_ bkpi_ bkct_", r"bk(?:ua|pi|ct)_[a-f0-9]{40}"),
    _format("CircleCI token", "CCIPAT_ CCIPRJ_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{20,40}_[a-f0-9]{40}"),
    _format("ClickHouse key", "4b1d", r"4b1d[A-Za-z0-9]{38}" + _END),
    _format("Clojars token", "CLOJARS_", r"CLOJARS_[a-f0-9]{60}"),
    _format("Cloudflare key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    _format("Contentful token", "CFPAT-", r"CFPAT-[A-Za-z0-9_\-]{40,}"),
    _format("crates.io token", "cio", r"cio[A-Za-z0-9]{32}" + _END),
    _format("Databricks token", "dapi dkea dose", r"(?:dapi|dkea|dose)[a-f0-9]{32}(?:-\d)?" + _END),
    _format("Deno token", "ddp_ ddw_", r"dd[pw]_[A-Za-z0-9]{36}" + _END),
    _format("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _format("Discord token", "M N O", r"[MNO][A-Za-z0-9_\-]{23,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,38}" + _END),
    _format("Docker token", "dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_\-]{20,}"),
    _format("Doppler token", "dp.", r"dp\.(?:pt|st|sa|ct|scim|audit)\.[A-Za-z0-9._\-]{40,}"),
    _format("Dropbox token", "sl.", r"sl\.(?:u\.)?[A-Za-z0-9_\-]{100,}"),
    _format("Duffel token", "duffel_", r"duffel_(?:live|test)_[A-Za-z0-9_\-=]{43}"),
    _format("Dynatrace token", "dt0", r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _format("EasyPost key", "EZAK EZTK", r"EZ[AT]K[A-Za-z0-9]{54}" + _END),
    _format("Facebook token", "EAA", r"EAA[A-Za-z0-9]{60,}"),
    _format("Figma token", "figd_ figo_ figu_", r"fig[dou]_[A-Za-z0-9_\-]{36,}"),
    _format("Flutterwave key", "FLWSECK", r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,32}(?:-X)?" + _END),
    _format("Firebase key", "AAAA", r"AAAA[A-Za-z0-9_\-]{7}:[A-Za-z0-9_\-]{100,200}" + _END),
    _format("Fly.io token", "fm1 fm2_ fo1_", r"(?:fo1_[A-Za-z0-9_\-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/=_\-]{60,})"),
    _format("Frame.io token", "fio-u-", r"fio-u-[A-Za-z0-9_\-=]{64}"),
    _format("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,251}"),
    _format("GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}"),
    _format("GitLab token", "glpat- gldt- glft- glsoat- glrt- glcbt- glimt- glptt- glagent- gloas- glffct-", r"gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas|ffct)-[A-Za-z0-9_\-.]{20,}"),
    _format("GitLab token", "GR1348941", r"GR1348941[A-Za-z0-9_\-]{20,}"),
    _format("GoCardless token", "live_ sandbox_", r"(?:live|sandbox)_[A-Za-z0-9_\-]{40}" + _END),
    _format("Google API key", "AIza", r"AIza[A-Za-z0-9_\-]{35}(?![A-Za-z0-9_\-])"),
    _format("Google OAuth secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_\-]{20,}"),
    _format("Google OAuth token", "ya29.", r"ya29\.[A-Za-z0-9_\-]{20,}"),
    _format("Google OAuth token", "1//0", r"1//0[A-Za-z0-9_\-]{40,}"),
    _format("Grafana token", "glsa_ glc_", r"(?:glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|glc_[A-Za-z0-9+/=]{32,})"),
    _format("Grafana key", "eyJrIjoi", r"eyJrIjoi[A-Za-z0-9+/]{60,}={0,2}"),
    _format("Groq key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    _format("Harness key", "pat. sat.", r"[ps]at\.[A-Za-z0-9_\-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}" + _END),
    _format("Heroku key", "HRKU-", r"HRKU-[A-Za-z0-9_\-]{36,}"),
    _format("HubSpot token", "pat-na pat-eu", r"pat-(?:na|eu)\d-" + _UUID),
    _format("Hugging Face token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{30,}" + _END),
    _format("Infracost key", "ico-", r"(?<!\.)ico-[A-Za-z0-9]{32}" + _END),
    _format("JSON web token", "eyJ", r"(?<![_\-])eyJ[A-Za-z0-9_\-]{8,2000}\.eyJ[A-Za-z0-9_\-]{8,8000}\.[A-Za-z0-9_\-]{16,}"),
    _format("LangSmith key", "lsv2_ ls__", r"ls(?:v2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}|__[a-f0-9]{32})"),
    _format("LaunchDarkly key", "api- sdk- mob-", r"(?:api|sdk|mob)-" + _UUID),
    _format("Linear key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    _format("Lob key", "live_", r"live_[a-f0-9]{35}" + _END),
    _format("Mailgun key", "key-", r"key-[a-f0-9]{32}" + _END),
    _format("Mapbox token", "sk.eyJ", r"sk\.eyJ[A-Za-z0-9_\-]{40,200}\.[A-Za-z0-9_\-]{20,}"),
    _format("Netlify token", "nfp_ nfc_ nfo_", r"nf[pcou]_[A-Za-z0-9]{36,}"),
    _format("New Relic key", "NRAK- NRJS- NRAA- NRII- NRRA-", r"NR(?:AK|JS|AA|II|RA)-[A-Za-z0-9_\-]{19,42}" + _END),
    _format("Notion token", "secret_ ntn_", r"(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})" + _END),
    _format("npm token", "npm_", r"npm_[A-Za-z0-9]{36}" + _END),
    _format("NuGet key", "oy2", r"oy2[a-z0-9]{43}" + _END),
    _format("NVIDIA key", "nvapi-", r"nvapi-[A-Za-z0-9_\-]{60,}"),
    _format("Octopus key", "API-", r"API-[A-Z0-9]{25,30}" + _END),
    _format("OpenAI key", "sk-proj- sk-svcacct- sk-admin- sk-None-", r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_\-]{32,}"),
    _format("OpenAI key", "sk-", r"sk-[A-Za-z0-9]{32,64}" + _END),
    _format("OpenRouter key", "sk-or-", r"sk-or-(?:v1-)?[a-f0-9]{32,}"),
    _format("OpenShift token", "sha256~", r"sha256~[A-Za-z0-9_\-]{43}" + _END),
    _format("PayPal token", "access_token$", r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}"),
    _format("Perplexity key", "pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    _format("Pinecone key", "pcsk_", r"pcsk_[A-Za-z0-9]{4,10}_[A-Za-z0-9]{40,}"),
    _format("Plaid token", "access-", r"access-(?:production|development|sandbox)-" + _UUID),
    _format("PlanetScale token", "pscale_", r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_\-.=]{32,}"),
    _format("Postman key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    _format("Prefect key", "pnu_ pnb_", r"pn[ub]_[A-Za-z0-9]{36}" + _END),
    _format("Pulumi token", "pul-", r"pul-[a-f0-9]{40}" + _END),
    _format("PyPI token", "pypi-", r"pypi-[A-Za-z0-9_\-]{50,}"),
    _format("Razorpay key", "rzp_", r"rzp_(?:live|test)_[A-Za-z0-9]{14,}" + _END),
    _format("ReadMe key", "rdme_", r"rdme_[a-z0-9]{60,}"),
    _format("Replicate token", "r8_", r"r8_[A-Za-z0-9]{36,}" + _END),
    _format("RubyGems key", "rubygems_", r"rubygems_[a-f0-9]{48}" + _END),
    _format("Scalingo token", "tk-us-", r"tk-us-[A-Za-z0-9_\-]{48}"),
    _format("SendGrid key", "SG.", r"SG\.[A-Za-z0-9_\-]{16,24}\.[A-Za-z0-9_\-]{40,48}"),
    _format("Sentry token", "sntrys_ sntryu_", r"sntry[su]_[A-Za-z0-9+/=_\-]{40,}"),
    _format("Shippo token", "shippo_", r"shippo_(?:live|test)_[a-fA-F0-9]{40}"),
    _format("Shopify token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _format("Slack token", "xox xapp-", r"(?:xox[abeoprs]|xapp|xoxe\.xox[bp])-[A-Za-z0-9\-]{15,}"),
    _format("Sonar token", "squ_ sqp_ sqa_", r"sq[upa]_[a-f0-9]{40}"),
    _format("Sourcegraph token", "sgp_ sgd_ slk_", r"(?:sgp|sgd|slk)_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40,64}"),
    _format("Square token", "sq0 EAAA", r"(?:sq0(?:atp|csp|idp)-[A-Za-z0-9_\-]{22,43}|EAAA[A-Za-z0-9_\-]{60})"),
    _format("Stripe key", "sk_live_ rk_live_ sk_test_ rk_test_ sk_prod_ rk_prod_", r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}"),
    _format("Stripe key", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,}"),
    _format("Supabase key", "sbp_ sb_secret_", r"(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_\-]{20,})"),
    _format("Tailscale key", "tskey-", r"tskey-(?:[a-z]{1,10}-)?[A-Za-z0-9]{8,40}-[A-Za-z0-9]{16,}"),
    _format("Twilio key", "SK", r"SK[a-f0-9]{32}" + _END),
    _format("Twitter token", "AAAAAAAAAAAAAAAAAAAA", r"A{20,22}[A-Za-z0-9%]{60,120}" + _END),
    _format("Typeform token", "tfp_", r"tfp_[A-Za-z0-9_\-.=]{40,}"),
    _format("Vault token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_\-]{24,}"),
    _format("Vault token", "s.", r"s\.[A-Za-z0-9]{24}" + _END),
    _format("Vercel token", "vcp_ vck_ vci_", r"vc[pki]_[A-Za-z0-9]{24,}"),
    _format("WakaTime key", "waka_", r"waka_" + _UUID),
    _format("xAI key", "xai-", r"xai-[A-Za-z0-9]{60,}"),
    _format("Yandex key", "AQVN YC t1.", r"(?:AQVN[A-Za-z0-9_\-]{35,38}|YC[A-Za-z0-9_\-]{38}|t1\.[A-Za-z0-9_\-]{1,300}={0,2}\.[A-Za-z0-9_\-]{86}={0,2})" + _END),
    _format("Aiven password", "AVNS_", r"AVNS_[A-Za-z0-9_\-]{14,}"),
    _format("Apify token", "apify_api_", r"apify_api_[A-Za-z0-9]{30,}" + _END),
    _format("Browserbase key", "bb_live_ bb_test_", r"bb_(?:live|test)_[A-Za-z0-9_\-]{20,}"),
    _format("Cal.com key", "cal_live_ cal_test_", r"cal_(?:live|test)_[a-f0-9]{32}" + _END),
    _format("Cerebras key", "csk-", r"csk-[a-z0-9]{40,}" + _END),
    _format("ClickUp token", "pk_", r"pk_\d{6,9}_[A-Z0-9]{32}" + _END),
    _format("Cloudflare token", "cfk_ cfut_ cfat_", r"cf(?:k|ut|at)_[A-Za-z0-9_\-]{36,}"),
    _format("Cursor key", "key_ crsr_", r"(?:key|crsr)_[a-f0-9]{64}" + _END),
    _format("Daytona key", "dtn_", r"dtn_[a-f0-9]{64}" + _END),
    _format("E2B key", "e2b_", r"e2b_[a-f0-9]{40}" + _END),
    _format("ElevenLabs key", "sk_", r"sk_[a-f0-9]{48}" + _END),
    _format("Firecrawl key", "fc-", r"fc-[a-f0-9]{32}" + _END),
    _format("Fireworks key", "fw_", r"fw_[A-Za-z0-9]{20,40}" + _END),
    _format("Google AI key", "AQ.Ab8", r"AQ\.Ab8[A-Za-z0-9_\-]{40,}"),
    _format("Inngest key", "signkey-", r"signkey-(?:prod|test|branch)-[a-f0-9]{32,}"),
    _format("Jina key", "jina_", r"jina_[A-Za-z0-9]{50,}" + _END),
    _format("Langfuse key", "sk-lf-", r"sk-lf-" + _UUID),
    _format("MailerSend key", "mlsn.", r"mlsn\.[a-f0-9]{64}"),
    _format("MongoDB secret", "mdb_sa_sk_", r"mdb_sa_sk_[A-Za-z0-9_\-]{36,}"),
    _format("Neon key", "napi_", r"napi_[a-z0-9]{40,}" + _END),
    _format("OneSignal key", "os_v2_app_ os_v2_org_", r"os_v2_(?:app|org)_[a-z2-7]{80,}"),
    _format("Polar token", "polar_", r"polar_(?:oat|pat|at|rt)_[A-Za-z0-9_\-]{30,}"),
    _format("PostHog key", "phx_ phs_", r"ph[xs]_[A-Za-z0-9]{40,}" + _END),
    _format("Render key", "rnd_", r"rnd_[A-Za-z0-9]{24,}" + _END),
    _format("Resend key", "re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}" + _END),
    _format("RunPod key", "rpa_", r"rpa_[A-Za-z0-9]{40,}" + _END),
    _format("Snyk token", "snyk_", r"snyk_[us]at\.[a-f0-9]{8}\.[A-Za-z0-9_\-.]{40,}"),
    _format("Stytch secret", "secret-live- secret-test-", r"secret-(?:live|test)-[A-Za-z0-9_\-]{32,}={0,2}"),
    _format("Tavily key", "tvly-", r"tvly-(?:(?:dev|prod)-)?[A-Za-z0-9\-_]{30,}"),
    _format("Tigris key", "tsec_", r"tsec_[A-Za-z0-9_+\-]{40,}"),
    _format("Together key", "tgp_v1_", r"tgp_v1_[A-Za-z0-9_\-]{40,}"),
    _format("Trigger.dev key", "tr_dev_ tr_prod_ tr_stg_", r"tr_(?:dev|prod|stg)_[A-Za-z0-9]{20,}" + _END),
    _format("Unkey key", "unkey_", r"unkey_[A-Za-z0-9]{20,}" + _END),
    _format("Vercel token", "vercel_blob_rw_", r"vercel_blob_rw_[A-Za-z0-9]{12,20}_[A-Za-z0-9]{24,}" + _END),
    _format("Voyage key", "pa-", r"pa-[A-Za-z0-9_\-]{43}" + _END),
    _format("Weights & Biases key", "wandb_v1_", r"wandb_v1_[A-Za-z0-9_]{40,}"),
    _format("Zuplo key", "zpka_", r"zpka_[a-f0-9]{32}_[a-f0-9]{8}"),
    _format("password hash", "pbkdf2_ pbkdf2:", r"pbkdf2[_:]sha\d+[$:]\d+\$[A-Za-z0-9./+]{4,64}\$[A-Za-z0-9+/=]{20,}"),
    _format("password hash", "scrypt:", r"scrypt:\d+:\d+:\d+\$[A-Za-z0-9./+]{4,64}\$[a-f0-9]{64,}"),
)  # fmt: skip
"""Secrets by how they begin, where a word begins."""

WITHIN: tuple[SecretFormat, ...] = (
    _format("Slack webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_\-]{20,})"),
    _format("Discord webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/\d{16,20}/([A-Za-z0-9_\-]{60,})"),
    _format("Teams webhook", ".webhook.office.com/", r"\.webhook\.office\.com/webhookb2/([\w@\-]{60,}/IncomingWebhook/[\w/\-]{60,})"),
    _format("Django key", "django-insecure-", r"django-insecure-([a-z0-9!@#$%^&*()\-_=+]{40,60})"),
    _format("IFTTT key", "maker.ifttt.com/", r"maker\.ifttt\.com/(?:use/|trigger/[\w\-]{1,100}/(?:json/)?with/key/)([A-Za-z0-9_\-]{16,})"),
    _format("SoftLayer key", "api.softlayer.com/", r"api\.softlayer\.com/soap/v3(?:\.1)?/([A-Za-z0-9]{64})"),
    _format("Mailchimp key", "-us", r"-us(?<=([a-f0-9]{32})-us)(?<![a-f0-9]{33}-us)\d{1,2}" + _END),
    _format("MaxMind key", "_mmk", r"_mmk(?<=([A-Za-z0-9]{6}_[A-Za-z0-9]{29})_mmk)" + _END),
    _format("OpenAI key", "T3BlbkFJ", r"T3BlbkFJ(?<=(sk-[A-Za-z0-9]{20})T3BlbkFJ)([A-Za-z0-9_\-]{20,})"),
    _format("Azure DevOps token", "AZDO", r"AZDO(?<=([A-Za-z0-9]{76})AZDO)[A-Za-z0-9]{4}" + _END),
    _format("Azure key", "JQQJ9", r"JQQJ9(?<=([A-Za-z0-9]{52})JQQJ9)[9D][A-Za-z0-9]{27}" + _END),
    _format("Azure client secret", "Q~", r"Q~(?<=([A-Za-z0-9_~.\-]{3}\dQ~))([A-Za-z0-9_~.\-]{31,34})(?![A-Za-z0-9_~\-])"),
    _format("Azure key", "ccountKey= ccessKey=", r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{30,}={0,2})"),
    _format("Terraform token", ".atlasv1.", r"\.atlasv1\.(?<=([A-Za-z0-9]{14})\.atlasv1\.)([A-Za-z0-9_\-=]{60,})"),
    _format("Telegram token", ":AA", r"(?<!\d)\d{8,10}:AA[A-Za-z0-9_\-]{32,34}" + _END),
    _format("Facebook token", "|", r"\|(?<=\d{15}\|)([A-Za-z0-9_\-]{27,40})" + _END),
    _format("Postmark token", "ostmark OSTMARK", r"(?i)postmark[\w\-. ]{0,30}[=:]\s*[\"']?(" + _UUID + ")"),
    _format("password hash", "$2", r"\$2[abxy]\$\d\d\$[A-Za-z0-9./]{53}"),
    _format("password hash", "$", r"\$(?:apr1|[1567y])\$(?:rounds=\d+\$)?[A-Za-z0-9./]{1,64}\$(?:[A-Za-z0-9./]{1,64}\$)?[A-Za-z0-9./]{22,90}"),
    _format("password hash", "$argon2", r"\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]{20,}"),
    _format("password hash", "{SSHA {SMD5} {SHA}", r"\{(?:SSHA(?:256|512)?|SMD5|SHA)\}[A-Za-z0-9+/]{20,}={0,2}"),
)  # fmt: skip
"""Secrets by something inside them."""


def one_of(words: Iterable[str]) -> str:
    """A pattern of all words that looks at each letter once. No word may begin another."""
    branches: dict[str, list[str]] = {}
    for word in sorted(words):
        branches.setdefault(word[:1], []).append(word[1:])
    if "" in branches:
        return ""
    inner = [re.escape(letter) + one_of(rest) for letter, rest in branches.items()]
    return inner[0] if len(inner) == 1 else f"(?:{'|'.join(inner)})"


def _by_mark(formats: tuple[SecretFormat, ...]) -> dict[str, tuple[SecretFormat, ...]]:
    """The formats that may begin where a mark stands: marks of which one begins the other share the first letter."""
    by_letter: dict[str, list[SecretFormat]] = {}
    for known in formats:
        for letter in sorted({mark[0] for mark in known.marks}):
            by_letter.setdefault(letter, []).append(known)
    return {
        mark: tuple(
            known for known in by_letter[mark[0]] if any(m.startswith(mark) or mark.startswith(m) for m in known.marks)
        )
        for mark in sorted({mark for known in formats for mark in known.marks})
    }


_BY_MARK = _by_mark(BEGINNING)
_SHORTEST_MARKS = [mark for mark in _BY_MARK if not any(o != mark and mark.startswith(o) for o in _BY_MARK)]
_ANY_MARK = rf"(?=({one_of(_SHORTEST_MARKS)})[A-Za-z0-9_\-./+:$|~=]{{{SHORTEST_REST}}})"
_FIRSTS = "".join(sorted({mark[0] for mark in _BY_MARK}))
_ANY_BEGINNING = re.compile(rf"[^A-Za-z0-9](?=[{_FIRSTS}]){_ANY_MARK}")


_WITHIN_BY_MARK = tuple((mark, known) for known in WITHIN for mark in known.marks)


def find(text: str) -> Iterator[tuple[int, int, str]]:
    """Spans of secrets that tell by their shape."""
    if len(text) < SHORT_TEXT and len(max(text.split(), key=len, default="")) < SHORTEST_SECRET:
        return
    yield from _beginning_with(text, ((found.start(1) - 1, found[1]) for found in _ANY_BEGINNING.finditer("\n" + text)))
    if "\\" in text:
        escaped = compiled(rf"\\[nrt]{_ANY_MARK}")
        yield from _beginning_with(text, ((found.start(1), found[1]) for found in escaped.finditer(text)))
    for mark, known in _WITHIN_BY_MARK:
        if mark in text:
            for match in known.pattern.finditer(text):
                yield from _unless_example(match, known.kind)


def _beginning_with(text: str, beginnings: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    """Secrets that begin at one of the places, each with its mark; those inside another are passed over."""
    end = 0
    for at, mark in beginnings:
        if at < end:
            continue
        for known in _BY_MARK[mark]:
            match = known.pattern.match(text, at)
            if match:
                end = match.end()
                yield from _unless_example(match, known.kind)


def _unless_example(match: re.Match[str], kind: str) -> Iterator[tuple[int, int, str]]:
    """The spans, unless the end repeats a few letters, or it is of words or says that it is an example.

    What an issuer's own letters begin is a token at its full length even where the rest counts up.
    """
    spans = [match.span(group) for group in range(1, match.re.groups + 1)] or [match.span()]
    secret = match.string[slice(*spans[-1])]
    tail = secret[-max(SHORTEST_CHANCE, len(secret) // 2) :]
    made_of_words = any(map(str.islower, secret)) and looks.is_wordy(secret)
    if not (len(set(tail)) <= 3 or made_of_words or harmless.is_pretending(secret)):
        yield from ((*span, kind) for span in spans)
