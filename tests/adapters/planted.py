"""Made-up secrets of many kinds and things that only look like one, from a seed: none is written down here."""

from __future__ import annotations

import base64
import random
import string
import uuid
from collections.abc import Callable, Iterator

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM = string.ascii_letters + DIGITS
URLSAFE = ALNUM + "-_"
HEX = DIGITS + "abcdef"
BASE64 = ALNUM + "+/"

Draw = random.Random


def some(draw: Draw, alphabet: str, length: int) -> str:
    """A random text."""
    return "".join(draw.choice(alphabet) for _ in range(length))


def mixed(draw: Draw, alphabet: str, length: int) -> str:
    """A random text with a digit, a small and a capital letter."""
    body = some(draw, alphabet, length - 3)
    return draw.choice(LOWER) + body + draw.choice(UPPER) + draw.choice(DIGITS)


def password(draw: Draw) -> str:
    """What a person or a generator picks: letters, digits and marks."""
    letters = list(mixed(draw, ALNUM, draw.randint(9, 20)) + draw.choice("!@%^*-_+?~"))
    draw.shuffle(letters)
    return "".join(letters).strip("-?")


def _b64(draw: Draw, size: int) -> str:
    return base64.b64encode(draw.randbytes(size)).decode()


def _jwt(draw: Draw) -> str:
    parts = (b'{"alg":"HS256","typ":"JWT"}', b'{"sub":"%d","iat":1700000000}' % draw.randint(1, 10**9))
    head, body = (base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)
    return f"{head}.{body}.{some(draw, URLSAFE, 43)}"


def _private_key(draw: Draw) -> str:
    kind = draw.choice(["RSA ", "EC ", "OPENSSH ", ""])
    lines = "\n".join(some(draw, BASE64, 64) for _ in range(6))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n-----END {kind}PRIVATE KEY-----"


SHAPED: dict[str, Callable[[Draw], str]] = {
    "aws access key": lambda d: "AKIA" + some(d, UPPER + "234567", 16),
    "github": lambda d: d.choice(["ghp_", "gho_", "ghs_"]) + mixed(d, ALNUM, 36),
    "github fine": lambda d: f"github_pat_{mixed(d, ALNUM, 22)}_{mixed(d, ALNUM, 59)}",
    "gitlab": lambda d: "glpat-" + mixed(d, URLSAFE, 20),
    "slack": lambda d: f"xoxb-{some(d, DIGITS, 12)}-{some(d, DIGITS, 12)}-{mixed(d, ALNUM, 24)}",
    "slack webhook": lambda d: (
        f"https://hooks.slack.com/services/T{some(d, UPPER + DIGITS, 8)}/B{some(d, UPPER + DIGITS, 8)}/{mixed(d, ALNUM, 24)}"
    ),
    "stripe": lambda d: d.choice(["sk_live_", "rk_live_"]) + mixed(d, ALNUM, 24),
    "google": lambda d: "AIza" + mixed(d, URLSAFE, 35),
    "google oauth": lambda d: "GOCSPX-" + mixed(d, URLSAFE, 28),
    "openai": lambda d: "sk-proj-" + mixed(d, ALNUM, 48),
    "anthropic": lambda d: "sk-ant-api03-" + mixed(d, URLSAFE, 90),
    "hugging face": lambda d: "hf_" + mixed(d, ALNUM, 34),
    "npm": lambda d: "npm_" + mixed(d, ALNUM, 36),
    "pypi": lambda d: "pypi-AgEIcHlwaS5vcmc" + mixed(d, URLSAFE, 120),
    "sendgrid": lambda d: f"SG.{mixed(d, URLSAFE, 22)}.{mixed(d, URLSAFE, 43)}",
    "mailchimp": lambda d: some(d, HEX, 32) + "-us" + str(d.randint(1, 20)),
    "twilio": lambda d: "SK" + some(d, HEX, 32),
    "telegram": lambda d: f"{d.randint(10**8, 10**10 - 1)}:AA{mixed(d, URLSAFE, 33)}",
    "shopify": lambda d: "shpat_" + some(d, HEX, 32),
    "digitalocean": lambda d: "dop_v1_" + some(d, HEX, 64),
    "vault": lambda d: "hvs." + mixed(d, URLSAFE, 90),
    "databricks": lambda d: "dapi" + some(d, HEX, 32),
    "discord": lambda d: f"M{mixed(d, ALNUM, 23)}.{mixed(d, ALNUM, 6)}.{mixed(d, URLSAFE, 27)}",
    "grafana": lambda d: f"glsa_{mixed(d, ALNUM, 32)}_{some(d, HEX, 8)}",
    "azure storage": lambda d: (
        f"DefaultEndpointsProtocol=https;AccountName=prod;AccountKey={_b64(d, 64)};EndpointSuffix=core.windows.net"
    ),
    "jwt": _jwt,
    "private key": _private_key,
}
"""Kinds with a shape of their own: where they stand does not matter."""

NAMED: dict[str, Callable[[Draw], str]] = {
    "password": password,
    "aws secret": lambda d: mixed(d, BASE64, 40),
    "hex key": lambda d: some(d, HEX, d.choice([32, 40, 64])),
    "random token": lambda d: mixed(d, URLSAFE, d.randint(24, 48)),
    "uuid key": lambda d: str(uuid.UUID(int=d.getrandbits(128), version=4)),
}
"""Kinds without a shape: the name they are given to tells."""

NAMES = (
    "password",
    "db_password",
    "api_key",
    "apiKey",
    "secret_key",
    "client_secret",
    "access_token",
    "AUTH_TOKEN",
)


def carriers(name: str, value: str) -> list[str]:
    """The same assignment as it stands in code, settings, logs and messages."""
    return [
        f'{name} = "{value}"',
        f"const {name} = '{value}';",
        f'  "{name}": "{value}",',
        f"{name}: {value}",
        f"export {name.upper()}={value}",
        f'{name.upper()}="{value}"',
        f'client = connect(host="db1", {name}="{value}", timeout=3)',
        f'os.environ["{name.upper()}"] = "{value}"',
        f"<{name}>{value}</{name}>",
        f"Rotated the {name}: {value} is the new one",
    ]


def planted(draw: Draw, each: int) -> Iterator[tuple[str, str, str]]:
    """Triples of kind, text and the secret in it: `each` of every kind."""
    for kind, make in SHAPED.items():
        for _ in range(each):
            secret = make(draw)
            around = draw.choice(["value = '{}'", "see {} in the log", "{}", "- {}", "curl -H 'X-Key: {}'"])
            yield kind, around.format(secret), secret
    for kind, make in NAMED.items():
        for _ in range(each):
            secret = make(draw)
            yield kind, draw.choice(carriers(draw.choice(NAMES), secret)), secret
    for _ in range(each):
        secret = password(draw).replace("@", "x")
        yield "url password", f"DATABASE_URL=postgres://app:{secret}@db.internal:5432/app", secret
        secret = mixed(draw, URLSAFE, 40)
        yield "bearer", f"curl -H 'Authorization: Bearer {secret}' https://api.internal/v1", secret
        secret = base64.b64encode(f"svc:{password(draw)}".encode()).decode()
        yield "basic", f"Authorization: Basic {secret}", secret
        secret = password(draw)
        yield "flag", f"mytool --password {secret} --verbose", secret
        secret = password(draw)
        yield "netrc", f"machine git.internal login deploy password {secret}", secret


WORDS = [
    "user",
    "session",
    "order",
    "cart",
    "invoice",
    "account",
    "page",
    "item",
    "label",
    "cache",
    "route",
    "plugin",
    "theme",
    "worker",
    "batch",
    "queue",
]
SAFE_VALUES = (
    "changeme", "your-api-key", "<password>", "${DB_PASSWORD}", "xxxxxxxx", "********", "test", "testpass", "secret",
    "password", "dummy-token", "example-key", "YOUR_TOKEN_HERE", "{{ api_key }}", "%(password)s", "None", "fake-secret",
    "{password}", "my-secret", "placeholder", "$TOKEN", "...", "invalid-token", "abc123", "foobar",
)  # fmt: skip


def _words(draw: Draw, joint: str) -> str:
    return joint.join(draw.choice(WORDS) for _ in range(draw.randint(2, 3)))


def look_alikes(draw: Draw, count: int) -> Iterator[str]:
    """Harmless lines that share words, shapes or randomness with secrets."""
    makers: list[Callable[[], str]] = [
        lambda: f"commit {some(draw, HEX, 40)}",
        lambda: f"Revert {some(draw, HEX, 7)}, see {some(draw, HEX, 12)}",
        lambda: f"--hash=sha256:{some(draw, HEX, 64)}",
        lambda: f'"integrity": "sha512-{_b64(draw, 64)}",',
        lambda: f'checksum = "{some(draw, HEX, 64)}"',
        lambda: f"md5: {some(draw, HEX, 32)}",
        lambda: f'request_id = "{uuid.UUID(int=draw.getrandbits(128), version=4)}"',
        lambda: f"id: {uuid.UUID(int=draw.getrandbits(128), version=4)}",
        lambda: f'etag = "{some(draw, HEX, 32)}"',
        lambda: f"image: repo/app@sha256:{some(draw, HEX, 64)}",
        lambda: f'<img src="data:image/png;base64,{_b64(draw, 60)}">',
        lambda: f"ssh-ed25519 {_b64(draw, 51)} someone@host",
        lambda: f'{draw.choice(NAMES)} = "{draw.choice(SAFE_VALUES)}"',
        lambda: f"{draw.choice(NAMES).upper()}={draw.choice(SAFE_VALUES)}",
        lambda: f"{draw.choice(NAMES)} = os.environ['{draw.choice(NAMES).upper()}']",
        lambda: f"const token = await get{draw.choice(WORDS).title()}Token(request.headers);",
        lambda: f"password: process.env.{draw.choice(WORDS).upper()}_PASSWORD,",
        lambda: f"token: ${{{{ secrets.{draw.choice(WORDS).upper()}_TOKEN }}}}",
        lambda: f"self.{draw.choice(NAMES)} = {draw.choice(NAMES)}",
        lambda: f"def check_password(self, password: str, {draw.choice(WORDS)}: str) -> bool:",
        lambda: f'primary_key = "{_words(draw, "_")}"',
        lambda: f'cache_key = f"{_words(draw, ":")}:{{user.id}}"',
        lambda: f"token_type = '{_words(draw, '_')}'",
        lambda: f'"password": "{draw.choice(["Password", "Enter your password", "Passwort", "Mot de passe"])}",',
        lambda: f'<input type="password" name="{_words(draw, "_")}" autocomplete="current-password">',
        lambda: f"password_validator = '{_words(draw, '.')}.PasswordValidator'",
        lambda: f"https://example.org/{_words(draw, '/')}?page={draw.randint(1, 99)}",
        lambda: f"version = {draw.randint(0, 9)}.{draw.randint(0, 30)}.{draw.randint(0, 9)}",
        lambda: f"assert response.json()['token'] == {_words(draw, '_')}",
        lambda: f"Fix the {draw.choice(WORDS)} token refresh when the {draw.choice(WORDS)} key is missing",
        lambda: f"keys: [{_words(draw, ', ')}]",
        lambda: f"color: #{some(draw, HEX, 6)}; background: #{some(draw, HEX, 6)};",
        lambda: f"postgres://{draw.choice(['user', 'postgres'])}:{draw.choice(['password', 'postgres'])}@localhost/db",
        lambda: f"tokens = tokenizer.encode({_words(draw, '_')}, max_length={draw.randint(16, 512)})",
        lambda: f"trace_id={some(draw, HEX, 32)} span_id={some(draw, HEX, 16)}",
        lambda: f"AUTH_BACKEND = '{_words(draw, '.')}'",
        lambda: f"monkeypatch.setenv('{draw.choice(NAMES).upper()}', '{draw.choice(SAFE_VALUES[:16])}')",
        lambda: f"class {draw.choice(WORDS).title()}TokenAuthentication(BaseTokenAuthentication):",
        lambda: f"secret_name: {_words(draw, '-')}-secret",
        lambda: f"    key={draw.choice(WORDS)}_key, token={draw.choice(WORDS)}_token,",
    ]  # fmt: skip
    for at in range(count):
        yield makers[at % len(makers)]()
