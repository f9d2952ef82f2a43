"""Made-up secrets in the shapes that their issuers document, drawn from a seed: none is written down here.

Independent of `planted`: other issuers, other shapes. A kind is a line.
"""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from collections.abc import Callable

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
WORD = LOWER + UPPER + DIGITS
SMALL = LOWER + DIGITS
BIG = UPPER + DIGITS
HEX = DIGITS + "abcdef"
URLSAFE = WORD + "-_"
BASE64 = WORD + "+/"
BASE32 = UPPER + "234567"

Draw = random.Random
Maker = Callable[[Draw], str]


def words(text: str, between: str | None = None) -> list[str]:
    """The words of a table."""
    return text.split(between)


def run(draw: Draw, alphabet: str, length: int) -> str:
    """Random characters that do not end in a mark."""
    body = "".join(draw.choice(alphabet) for _ in range(length - 1))
    return body + draw.choice([letter for letter in alphabet if letter.isalnum()])


def guid(draw: Draw) -> str:
    """A random UUID."""
    return str(uuid.UUID(int=draw.getrandbits(128), version=4))


def b64(draw: Draw, size: int) -> str:
    """Base64 of so many random bytes."""
    return base64.b64encode(draw.randbytes(size)).decode()


def _unpadded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def jwt(draw: Draw) -> str:
    """A signed token whose head and claims vary in order, algorithm and content."""
    head = {"typ": "JWT", "alg": draw.choice(["HS256", "RS256", "ES384"]), "kid": run(draw, WORD, 12)}
    claims = {"iss": "https://login.corp.io", "sub": guid(draw), "exp": 1_800_000_000 + draw.randint(0, 10**6)}
    return f"{_unpadded(json.dumps(head))}.{_unpadded(json.dumps(claims))}.{run(draw, URLSAFE, 86)}"


def pem(draw: Draw, label: str, lines: int = 8, width: int = 64) -> str:
    """A block of base64 between the two lines that name it."""
    body = "\n".join(run(draw, BASE64, width) for _ in range(lines)) + "\n" + b64(draw, 31)
    return f"-----BEGIN {label}-----\n{body}\n-----END {label}-----"


def encrypted_pem(draw: Draw) -> str:
    """The old form of an encrypted key, with its two headers."""
    block = pem(draw, "RSA PRIVATE KEY")
    head, _, body = block.partition("\n")
    return f"{head}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{run(draw, BIG, 32)}\n\n{body}"


def pgp(draw: Draw) -> str:
    """An armoured secret key with version, checksum and an empty line."""
    block = pem(draw, "PGP PRIVATE KEY BLOCK", 12)
    head, _, body = block.partition("\n")
    body, _, foot = body.rpartition("\n")
    return f"{head}\nVersion: GnuPG v2\n\n{body}\n={run(draw, BASE64, 4)}\n{foot}"


ISSUED: dict[str, Maker] = {
    "1password account": lambda d: f"A3-{run(d, BIG, 6)}-{run(d, BIG, 6)}-" + "-".join(run(d, BIG, 5) for _ in range(4)),
    "1password service": lambda d: "ops_" + _unpadded(json.dumps({"signInAddress": "x", "srpX": run(d, HEX, 200)})),
    "adafruit": lambda d: "aio_" + run(d, WORD, 28),
    "adobe": lambda d: "p8e-" + run(d, SMALL, 32),
    "age": lambda d: "AGE-SECRET-KEY-1" + run(d, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    "airtable": lambda d: f"pat{run(d, WORD, 14)}.{run(d, HEX, 64)}",
    "alibaba": lambda d: "LTAI5t" + run(d, WORD, 18),
    "anthropic admin": lambda d: "sk-ant-admin01-" + run(d, URLSAFE, 93) + "AA",
    "artifactory": lambda d: "AKCp" + run(d, WORD, 69),
    "artifactory reference": lambda d: "cmVmdGtuOj" + run(d, WORD, 54),
    "asana": lambda d: f"2/{run(d, DIGITS, 16)}/{run(d, DIGITS, 16)}:{run(d, HEX, 32)}",
    "atlassian": lambda d: "ATATT3xFfGF0" + run(d, URLSAFE, 170) + "=" + run(d, HEX, 8).upper(),
    "aws": lambda d: d.choice(["AKIA", "ASIA", "ABIA", "ACCA"]) + run(d, BASE32, 16),
    "aws bedrock": lambda d: "ABSK" + run(d, BASE64, 128),
    "azure client": lambda d: f"{run(d, WORD, 3)}8Q~{run(d, WORD + '_~.-', 34)}",
    "azure devops": lambda d: run(d, WORD, 76) + "AZDO" + run(d, WORD, 4),
    "bitbucket": lambda d: "ATBB" + run(d, WORD, 28) + run(d, HEX, 8).upper(),
    "buildkite": lambda d: "bkua_" + run(d, HEX, 40),
    "circleci": lambda d: f"CCIPAT_{run(d, WORD, 22)}_{run(d, HEX, 40)}",
    "clojars": lambda d: "CLOJARS_" + run(d, HEX, 60),
    "cloudflare origin": lambda d: f"v1.0-{run(d, HEX, 24)}-{run(d, HEX, 146)}",
    "contentful": lambda d: "CFPAT-" + run(d, URLSAFE, 43),
    "crates.io": lambda d: "cio" + run(d, WORD, 32),
    "deno": lambda d: "ddp_" + run(d, WORD, 36),
    "docker hub": lambda d: "dckr_pat_" + run(d, URLSAFE, 27),
    "doppler": lambda d: "dp.pt." + run(d, WORD, 43),
    "dropbox": lambda d: "sl." + run(d, URLSAFE, 136),
    "duffel": lambda d: "duffel_live_" + run(d, URLSAFE, 43),
    "dynatrace": lambda d: f"dt0c01.{run(d, BIG, 24)}.{run(d, BIG, 64)}",
    "easypost": lambda d: "EZAK" + run(d, WORD, 54),
    "facebook": lambda d: "EAACEdEose0cBA" + run(d, WORD, 120),
    "figma": lambda d: "figd_" + run(d, URLSAFE, 40),
    "flutterwave": lambda d: f"FLWSECK-{run(d, HEX, 32)}-X",
    "fly": lambda d: "fo1_" + run(d, URLSAFE, 43),
    "frame.io": lambda d: "fio-u-" + run(d, URLSAFE, 64),
    "github app": lambda d: d.choice(["ghu_", "ghs_", "ghr_"]) + run(d, WORD, 36),
    "github fine": lambda d: f"github_pat_{run(d, WORD, 22)}_{run(d, WORD, 59)}",
    "gitlab deploy": lambda d: "gldt-" + run(d, URLSAFE, 20),
    "gitlab job": lambda d: f"glcbt-{run(d, HEX, 2)}_{run(d, URLSAFE, 20)}",
    "gitlab runner": lambda d: "glrt-" + run(d, URLSAFE, 20),
    "gitlab trigger": lambda d: "glptt-" + run(d, HEX, 40),
    "google oauth": lambda d: "ya29.a0Af" + run(d, URLSAFE, 160),
    "google refresh": lambda d: "1//0" + run(d, URLSAFE, 100),
    "grafana cloud": lambda d: "glc_" + b64(d, 90).rstrip("="),
    "grafana legacy": lambda d: base64.b64encode(json.dumps({"k": run(d, WORD, 32), "n": "ci", "id": 1}, separators=(",", ":")).encode()).decode(),
    "groq": lambda d: "gsk_" + run(d, WORD, 52),
    "harness": lambda d: f"pat.{run(d, URLSAFE, 22)}.{run(d, HEX, 24)}.{run(d, WORD, 20)}",
    "heroku": lambda d: "HRKU-AA" + run(d, URLSAFE, 58),
    "hubspot": lambda d: "pat-na1-" + guid(d),
    "infracost": lambda d: "ico-" + run(d, WORD, 32),
    "jwt": jwt,
    "langsmith": lambda d: f"lsv2_pt_{run(d, HEX, 32)}_{run(d, HEX, 10)}",
    "launchdarkly": lambda d: d.choice(["api-", "sdk-"]) + guid(d),
    "linear": lambda d: "lin_api_" + run(d, WORD, 40),
    "mailgun": lambda d: "key-" + run(d, HEX, 32),
    "mapbox": lambda d: f"sk.eyJ1Ijoi{run(d, WORD, 60)}.{run(d, URLSAFE, 22)}",
    "maxmind": lambda d: f"{run(d, WORD, 6)}_{run(d, WORD, 29)}_mmk",
    "netlify": lambda d: "nfp_" + run(d, WORD, 36),
    "new relic": lambda d: "NRAK-" + run(d, BIG, 27),
    "new relic insert": lambda d: "NRII-" + run(d, URLSAFE, 32),
    "notion": lambda d: f"ntn_{run(d, DIGITS, 11)}{run(d, WORD, 35)}",
    "nuget": lambda d: "oy2" + run(d, SMALL, 43),
    "nvidia": lambda d: "nvapi-" + run(d, URLSAFE, 64),
    "octopus": lambda d: "API-" + run(d, BIG, 26),
    "openai classic": lambda d: f"sk-{run(d, WORD, 20)}T3BlbkFJ{run(d, WORD, 20)}",
    "openai project": lambda d: f"sk-proj-{run(d, URLSAFE, 74)}T3BlbkFJ{run(d, URLSAFE, 74)}",
    "openrouter": lambda d: "sk-or-v1-" + run(d, HEX, 64),
    "openshift": lambda d: "sha256~" + run(d, URLSAFE, 43),
    "paypal": lambda d: f"access_token$production${run(d, SMALL, 16)}${run(d, HEX, 32)}",
    "perplexity": lambda d: "pplx-" + run(d, WORD, 48),
    "pinecone": lambda d: f"pcsk_{run(d, WORD, 6)}_{run(d, WORD, 63)}",
    "plaid": lambda d: "access-production-" + guid(d),
    "planetscale": lambda d: "pscale_tkn_" + run(d, URLSAFE, 43),
    "postman": lambda d: f"PMAK-{run(d, HEX, 24)}-{run(d, HEX, 34)}",
    "prefect": lambda d: "pnu_" + run(d, WORD, 36),
    "pulumi": lambda d: "pul-" + run(d, HEX, 40),
    "razorpay": lambda d: "rzp_live_" + run(d, WORD, 14),
    "readme": lambda d: "rdme_" + run(d, SMALL, 70),
    "replicate": lambda d: "r8_" + run(d, WORD, 37),
    "rubygems": lambda d: "rubygems_" + run(d, HEX, 48),
    "scalingo": lambda d: "tk-us-" + run(d, URLSAFE, 48),
    "sendinblue": lambda d: f"xkeysib-{run(d, HEX, 64)}-{run(d, WORD, 16)}",
    "sentry user": lambda d: "sntryu_" + run(d, HEX, 64),
    "shippo": lambda d: "shippo_live_" + run(d, HEX, 40),
    "shopify": lambda d: d.choice(["shpca_", "shppa_", "shpss_"]) + run(d, HEX, 32),
    "slack app": lambda d: f"xapp-1-A{run(d, BIG, 10)}-{run(d, DIGITS, 13)}-{run(d, HEX, 64)}",
    "slack config": lambda d: "xoxe.xoxp-1-" + run(d, BIG, 166),
    "slack user": lambda d: f"xoxp-{run(d, DIGITS, 12)}-{run(d, DIGITS, 12)}-{run(d, DIGITS, 13)}-{run(d, HEX, 32)}",
    "sonar": lambda d: d.choice(["squ_", "sqp_", "sqa_"]) + run(d, HEX, 40),
    "sourcegraph": lambda d: f"sgp_{run(d, HEX, 16)}_{run(d, HEX, 40)}",
    "square": lambda d: "EAAA" + run(d, URLSAFE, 60),
    "square oauth": lambda d: "sq0csp-" + run(d, URLSAFE, 43),
    "stripe restricted": lambda d: "rk_live_" + run(d, WORD, 99),
    "stripe test": lambda d: "sk_test_51" + run(d, WORD, 97),
    "stripe webhook": lambda d: "whsec_" + run(d, WORD, 32),
    "supabase": lambda d: "sbp_" + run(d, HEX, 40),
    "tailscale": lambda d: f"tskey-auth-{run(d, WORD, 17)}-{run(d, WORD, 32)}",
    "telegram": lambda d: f"{run(d, '123456789', 10)}:AA{run(d, URLSAFE, 33)}",
    "terraform": lambda d: f"{run(d, WORD, 14)}.atlasv1.{run(d, URLSAFE, 67)}",
    "twilio": lambda d: "SK" + run(d, HEX, 32),
    "typeform": lambda d: f"tfp_{run(d, URLSAFE, 44)}_{run(d, URLSAFE, 14)}",
    "vault batch": lambda d: "hvb." + run(d, URLSAFE, 140),
    "wakatime": lambda d: "waka_" + guid(d),
    "xai": lambda d: "xai-" + run(d, WORD, 80),
    "yandex": lambda d: "AQVN" + run(d, URLSAFE, 36),
}  # fmt: skip
"""Kinds that tell by their own shape, wherever they stand."""

BLOCKS: dict[str, Maker] = {
    "rsa key": lambda d: pem(d, "RSA PRIVATE KEY", 12),
    "ec key": lambda d: pem(d, "EC PRIVATE KEY", 3),
    "pkcs8 key": lambda d: pem(d, "PRIVATE KEY", 12),
    "encrypted pkcs8 key": lambda d: pem(d, "ENCRYPTED PRIVATE KEY", 12),
    "encrypted rsa key": encrypted_pem,
    "openssh key": lambda d: pem(d, "OPENSSH PRIVATE KEY", 5, 70),
    "pgp key": pgp,
    "escaped key": lambda d: json.dumps({"tls_key": pem(d, "PRIVATE KEY")}),
    "indented key": lambda d: "  tls.key: |\n    " + pem(d, "EC PRIVATE KEY").replace("\n", "\n    "),
    "quoted key": lambda d: '"' + pem(d, "RSA PRIVATE KEY").replace("\n", '\\n" +\n    "') + '"',
    "commented key": lambda d: "# " + pem(d, "DSA PRIVATE KEY").replace("\n", "\n# "),
    "encoded key": lambda d: "  tls.key: " + base64.b64encode(pem(d, "RSA PRIVATE KEY").encode()).decode(),
    "openvpn key": lambda d: "-----BEGIN OpenVPN Static key V1-----\n" + "\n".join(run(d, HEX, 32) for _ in range(16)) + "\n-----END OpenVPN Static key V1-----",
    "putty key": lambda d: (
        "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: ops\nPublic-Lines: 2\n"
        + run(d, BASE64, 64) + "\n" + run(d, BASE64, 16) + "\nPrivate-Lines: 1\n" + run(d, BASE64, 48) + "\nPrivate-MAC: " + run(d, HEX, 64)
    ),
}  # fmt: skip
"""Keys over several lines, or with their lines escaped, quoted, indented or encoded."""

HASHED: dict[str, Maker] = {
    "bcrypt": lambda d: f"$2{d.choice('aby')}$12${run(d, WORD + './', 53)}",
    "apache md5": lambda d: f"$apr1${run(d, WORD, 8)}${run(d, WORD + './', 22)}",
    "sha512 crypt": lambda d: f"$6${run(d, WORD, 16)}${run(d, WORD + './', 86)}",
    "argon2": lambda d: f"$argon2id$v=19$m=65536,t=3,p=4${run(d, WORD, 22)}${run(d, BASE64, 43)}",
    "django": lambda d: f"pbkdf2_sha256$600000${run(d, WORD, 22)}${b64(d, 32)}",
    "salted sha": lambda d: "{SSHA}" + b64(d, 24),
}
"""Stored passwords: a hash that can be attacked offline."""
