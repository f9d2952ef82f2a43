"""Made-up secrets without a shape of their own, standing where secrets stand in twenty languages and formats.

Each case is a kind, a text and the secret in it. Values and places are drawn from a seed.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from urllib.parse import quote

from adapters.issued import (
    BASE32,
    BIG,
    BLOCKS,
    DIGITS,
    HASHED,
    HEX,
    ISSUED,
    LOWER,
    SMALL,
    UPPER,
    URLSAFE,
    WORD,
    Draw,
    Maker,
    b64,
    guid,
    pem,
    run,
    words,
)

Case = tuple[str, str, str]
"""Kind, text, secret."""

MARKS = "!%*-_+?~#.,=@"
PLAIN_WORDS = words(
    "copper lantern orbit willow gravel mitten saddle pepper comet harbor velvet walrus thistle anchor biscuit cactus "
    "dolphin ember falcon glacier hazel island juniper kettle lemon marble nectar oyster parsley quartz raven spruce "
    "tulip umber violet wizard yonder zephyr acorn bramble cinder driftwood"
)


def strong(draw: Draw) -> str:
    """What a password keeper makes: all classes, a mark or two inside."""
    letters = list(
        run(draw, WORD, draw.randint(9, 18)) + draw.choice(MARKS[:9]) + draw.choice(DIGITS) + draw.choice(UPPER)
    )
    draw.shuffle(letters)
    return draw.choice(LOWER) + "".join(letters) + draw.choice(WORD)


def phrase(draw: Draw) -> str:
    """Words picked by dice."""
    return draw.choice("-._ ").join(draw.sample(PLAIN_WORDS, draw.randint(4, 6)))


def human(draw: Draw) -> str:
    """What people make up: a word, a number, a mark."""
    first, second = draw.sample(PLAIN_WORDS, 2)
    number = draw.randint(1960, 99_999)
    return draw.choice(
        [f"{first.title()}{number}!", f"{first}{second.title()}{number}", f"{first.title()}-{second.title()}-{number}#", f"{number}${first.title()}"]
    )  # fmt: skip


PASSWORDS: dict[str, Maker] = {
    "strong password": strong,
    "letters and digits": lambda d: d.choice(LOWER) + run(d, SMALL, d.randint(9, 15)) + d.choice(DIGITS),
    "mixed letters": lambda d: run(d, LOWER + UPPER, d.randint(14, 20)),
    "small letters": lambda d: run(d, LOWER, d.randint(14, 22)),
    "passphrase": phrase,
    "made-up password": human,
    "pronounced password": lambda d: "".join(d.choice("bdfgklmnprstvz") + d.choice("aeiou") for _ in range(5)) + run(d, DIGITS, 4),
}  # fmt: skip
TOKENS: dict[str, Maker] = {
    "hex token": lambda d: run(d, HEX, d.choice([24, 32, 40, 48, 64])),
    "capital hex token": lambda d: run(d, HEX, 32).upper(),
    "base64 token": lambda d: b64(d, d.choice([16, 24, 32, 48, 64])),
    "urlsafe token": lambda d: run(d, URLSAFE, d.choice([22, 32, 43, 64])),
    "short token": lambda d: d.choice(LOWER) + run(d, WORD, 18) + d.choice(DIGITS),
    "small token": lambda d: d.choice(LOWER) + run(d, SMALL, 28) + d.choice(DIGITS),
    "uuid token": guid,
    "base32 seed": lambda d: run(d, BASE32, 32),
    "aws secret": lambda d: d.choice(LOWER) + run(d, WORD + "/+", 37) + d.choice(DIGITS) + d.choice(UPPER),
}
PASSWORD_NAMES = (
    "password", "db_password", "mysql_root_password", "admin_pwd", "smtp_pass", "redis_password", "ldap_bind_password",
    "keystore_password", "backup_passphrase", "ftp_passwd", "sudo_password", "wifi_password", "default_password",
)  # fmt: skip
TOKEN_NAMES = (
    "api_key", "secret_key", "auth_token", "client_secret", "access_token", "refresh_token", "signing_secret",
    "webhook_secret", "encryption_key", "jwt_secret", "session_secret", "datadog_api_key", "bot_token", "consumer_secret",
    "private_key", "master_key", "aws_secret_access_key", "github_token", "secret_key_base", "storage_account_key",
)  # fmt: skip


def camel(name: str) -> str:
    """`db_password` as `dbPassword`."""
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def _upper(name: str) -> str:
    return name.upper()


def _dots(name: str) -> str:
    return "app." + name.replace("_", ".")


def _dashes(name: str) -> str:
    return name.replace("_", "-")


def _same(name: str) -> str:
    return name


def _titled(name: str) -> str:
    return camel(name)[0].upper() + camel(name)[1:]


CARRIERS: dict[str, tuple[Callable[[str], str], str]] = {
    "go short": (camel, '\t{n} := "{v}"'),
    "go var": (camel, 'var {n} string = "{v}"'),
    "go const": (camel, 'const (\n\t{n} = "{v}"\n\tretries = 3\n)'),
    "go struct": (_titled, 'cfg := &Config{{Host: "db1", {n}: "{v}", Port: 5432}}'),
    "go raw": (camel, "{n} := `{v}`"),
    "java field": (_upper, 'private static final String {n} = "{v}";'),
    "java setter": (_titled, 'config.set{n}("{v}");'),
    "java builder": (camel, 'return Client.builder().host("db1").{n}("{v}").build();'),
    "java property": (_dots, 'System.setProperty("{n}", "{v}");'),
    "kotlin": (camel, 'private val {n}: String = "{v}"'),
    "js const": (camel, "const {n} = '{v}';"),
    "js object": (camel, "module.exports = {{ host: 'db1', {n}: '{v}' }};"),
    "js fallback": (_upper, "const key = process.env.{n} || '{v}';"),
    "js template": (camel, "export const {n} = `{v}`"),
    "ts field": (camel, "  private readonly {n}: string = '{v}';"),
    "ruby": (_same, "  {n}: '{v}',"),
    "ruby rocket": (_same, "  :{n} => '{v}',"),
    "ruby env": (_upper, "ENV['{n}'] ||= '{v}'"),
    "php array": (_same, "    '{n}' => '{v}',"),
    "php define": (_upper, "define( '{n}', '{v}' );"),
    "php variable": (camel, "${n} = '{v}';"),
    "csharp": (_titled, 'public const string {n} = "{v}";'),
    "csharp verbatim": (camel, 'var {n} = @"{v}";'),
    "rust": (_upper, 'const {n}: &str = "{v}";'),
    "rust let": (_same, 'let {n} = String::from("{v}");'),
    "c define": (_upper, '#define {n} "{v}"'),
    "cpp": (_same, 'std::string {n}{{"{v}"}};'),
    "swift": (camel, 'let {n} = "{v}"'),
    "python": (_same, '{n} = "{v}"'),
    "python default": (_same, 'def connect(host: str, {n}: str = "{v}") -> None:'),
    "python bytes": (_upper, "{n} = b'{v}'"),
    "python fallback": (_upper, 'value = os.environ.get("{n}", "{v}")'),
    "python wrapped": (_upper, '{n} = (\n    "{v}"\n)'),
    "python comment": (_same, '# {n} = "{v}"'),
    "python compare": (_same, 'if {n} == "{v}":'),
    "python setenv": (_upper, 'monkeypatch.setenv("{n}", "{v}")'),
    "yaml": (_same, "{n}: {v}"),
    "yaml quoted": (_dashes, '  {n}: "{v}"'),
    "yaml block": (_same, "{n}: |\n  {v}\nnext: 1"),
    "yaml list": (_upper, "    environment:\n      - {n}={v}"),
    "kubernetes": (_upper, '        - name: {n}\n          value: "{v}"'),
    "toml": (_same, '{n} = "{v}"'),
    "ini": (_same, "[db]\nhost = db1\n{n} = {v}\n"),
    "properties": (_dots, "{n}={v}"),
    "spring yaml": (_dashes, "spring:\n  datasource:\n    {n}: '{v}'"),
    "json": (camel, '  "{n}": "{v}",'),
    "json dense": (_same, '{{"host":"db1","{n}":"{v}"}}'),
    "json escaped": (_same, 'body = "{{\\"{n}\\": \\"{v}\\"}}"'),
    "jupyter": (_same, '    "{n} = \\"{v}\\"\\n",'),
    "xml element": (camel, "    <{n}>{v}</{n}>"),
    "xml attribute": (camel, '<dataSource user="app" {n}="{v}" />'),
    "app settings": (_titled, '<add key="{n}" value="{v}" />'),
    "spring xml": (camel, '<property name="{n}" value="{v}"/>'),
    "android": (_same, '<string name="{n}">{v}</string>'),
    "plist": (_titled, "<key>{n}</key>\n<string>{v}</string>"),
    "terraform": (_same, '  {n} = "{v}"'),
    "terraform variable": (_same, 'variable "{n}" {{\n  type    = string\n  default = "{v}"\n}}'),
    "terraform state": (_same, '            "{n}": "{v}",'),
    "dockerfile": (_upper, "ENV {n}={v}"),
    "dockerfile old": (_upper, "ENV {n} {v}"),
    "docker argument": (_upper, "docker run -d -e {n}='{v}' app:1"),
    "compose": (_upper, "      {n}: '{v}'"),
    "github actions": (_upper, "        env:\n          {n}: {v}"),
    "travis": (_upper, "  - {n}={v} make release"),
    "shell export": (_upper, "export {n}='{v}'"),
    "shell bare": (_upper, "{n}={v} ./run.sh"),
    "shell double": (_upper, 'readonly {n}="{v}"'),
    "powershell": (_upper, "$env:{n} = '{v}'"),
    "batch": (_upper, "set {n}={v}"),
    "makefile": (_upper, "{n} ?= {v}"),
    "flag": (_dashes, "deploy --{n}='{v}' --wait"),
    "sql set": (_same, "UPDATE settings SET {n} = '{v}' WHERE id = 1;"),
    "log": (_same, "2026-01-05 09:00:01 DEBUG connect host=db1 {n}={v} retries=3"),
    "log json": (camel, '{{"level":"debug","msg":"login","{n}":"{v}"}}'),
    "traceback": (_same, "  File \"app.py\", line 3, in main\n    connect(user='app', {n}='{v}')\nOperationalError: refused"),
    "markdown code": (_same, "Set `{n}` to `{v}` before the first start."),
    "markdown table": (_same, "| {n} | `{v}` |"),
    "commit": (_same, "Rotate {n}\n\nThe old {n} was {v}, please update."),
    "commit equals": (_same, "fix: use {n}={v} on staging"),
    "form": (_same, 'curl -d "user=app&{n}={v}" https://login.corp.io/'),
}  # fmt: skip
"""Places for a name and its value: how the name is written there, and the text around."""

UNQUOTED = frozenset(
    words(
        "yaml|yaml block|ini|properties|dockerfile|dockerfile old|github actions|travis|shell bare|batch|makefile|log|commit|"
        "commit equals|form|yaml list",
        "|",
    )
)
"""Places where a value with a blank or a mark of the shell could not stand."""


def named(draw: Draw, carrier: str, kind: str) -> Case:
    """A value of a kind, given to a fitting name in a place."""
    names, make = (PASSWORD_NAMES, PASSWORDS[kind]) if kind in PASSWORDS else (TOKEN_NAMES, TOKENS[kind])
    value = make(draw)
    if carrier in UNQUOTED:
        value = "".join(letter for letter in value if letter not in "#%*!?~, =&$") or value
    style, text = CARRIERS[carrier]
    return f"{kind} in {carrier}", text.format(n=style(draw.choice(names)), v=value), value


def _host(draw: Draw) -> str:
    return f"{draw.choice(PLAIN_WORDS)}-db.internal.corp.io"


def _url(draw: Draw, scheme: str, port: int) -> tuple[str, str]:
    secret = quote(draw.choice([strong, PASSWORDS["letters and digits"]])(draw), safe="!*-_.~")
    return f"{scheme}://svc_{draw.choice(PLAIN_WORDS)}:{secret}@{_host(draw)}:{port}/orders", secret


def _letters(draw: Draw) -> str:
    return draw.choice(LOWER) + run(draw, WORD, 14) + draw.choice(DIGITS) + draw.choice(UPPER)


SENT: dict[str, Callable[[Draw], tuple[str, str]]] = {
    "postgres url": lambda d: _url(d, "postgresql", 5432),
    "mysql url": lambda d: _url(d, "mysql+pymysql", 3306),
    "mongodb url": lambda d: _url(d, "mongodb+srv", 27017),
    "amqp url": lambda d: _url(d, "amqps", 5671),
    "smtp url": lambda d: _url(d, "smtps", 465),
    "redis url": lambda d: (f"redis://:{(v := _letters(d))}@{_host(d)}:6379/0", v),
    "git url": lambda d: (f"git clone https://oauth2:{(v := run(d, URLSAFE, 20))}@git.corp.io/a/b.git", v),
    "git url token": lambda d: (f"git remote add up https://{(v := run(d, WORD, 40))}@git.corp.io/a/b.git", v),
    "package index": lambda d: (f"--extra-index-url https://ci:{(v := _letters(d))}@pypi.corp.io/simple", v),
    "jdbc": lambda d: (f"jdbc:mysql://{_host(d)}:3306/app?user=app&password={(v := _letters(d))}&useSSL=true", v),
    "jdbc sqlserver": lambda d: (f'"jdbc:sqlserver://{_host(d)};databaseName=a;user=sa;password={(v := strong(d).replace(",", "x"))};"', v),
    "jdbc oracle": lambda d: (f"jdbc:oracle:thin:app/{(v := _letters(d))}@{_host(d)}:1521:orcl", v),
    "ado.net": lambda d: (f'"Server=tcp:{_host(d)},1433;User ID=app;Password={(v := strong(d))};Encrypt=True;"', v),
    "odbc": lambda d: (f"Driver={{ODBC Driver 18}};Server={_host(d)};UID=app;PWD={(v := _letters(d))}", v),
    "libpq": lambda d: (f'"host={_host(d)} user=app password={(v := _letters(d))} dbname=orders"', v),
    "go dsn": lambda d: (f'sql.Open("mysql", "app:{(v := _letters(d))}@tcp({_host(d)}:3306)/orders")', v),
    "basic header": lambda d: (f"Authorization: Basic {(v := base64.b64encode(f'svc-app:{strong(d)}'.encode()).decode())}", v),
    "bearer header": lambda d: (f'req.Header.Set("Authorization", "Bearer {(v := run(d, URLSAFE, 36))}")', v),
    "token header": lambda d: (f"'Authorization': 'Token {(v := run(d, HEX, 40))}'", v),
    "key header": lambda d: (f"curl -H 'X-Api-Key: {(v := run(d, WORD, 32))}' https://api.corp.io/v1/orders", v),
    "private header": lambda d: (f'"PRIVATE-TOKEN": "{(v := run(d, URLSAFE, 26))}"', v),
    "cookie": lambda d: (f"Cookie: theme=dark; sessionid={(v := run(d, SMALL, 32))}; lang=en", v),
    "set cookie": lambda d: (f"Set-Cookie: connect.sid=s%3A{(v := run(d, URLSAFE, 32))}.{run(d, WORD, 43)}; Path=/", v),
    "curl user": lambda d: (f"curl -sS -u deploy:{(v := _letters(d))} https://repo.corp.io/upload", v),
    "curl long user": lambda d: (f'curl --user "deploy:{(v := strong(d))}" https://repo.corp.io/upload', v),
    "mysql flag": lambda d: (f"mysqldump -h {_host(d)} -uroot -p{(v := _letters(d))} orders > dump.sql", v),
    "pg variable": lambda d: (f"PGPASSWORD={(v := _letters(d))} psql -h {_host(d)} -U app", v),
    "sshpass": lambda d: (f"sshpass -p '{(v := strong(d))}' ssh ops@{_host(d)}", v),
    "docker login": lambda d: (f"docker login -u ci -p {(v := _letters(d))} registry.corp.io", v),
    "piped login": lambda d: (f"echo '{(v := strong(d))}' | docker login -u ci --password-stdin registry.corp.io", v),
    "openssl": lambda d: (f"openssl rsa -in a.pem -passin pass:{(v := _letters(d))} -out b.pem", v),
    "keytool": lambda d: (f"keytool -list -keystore a.jks -storepass {(v := _letters(d))}", v),
    "query token": lambda d: (f"GET /v1/orders?page=2&access_token={(v := run(d, URLSAFE, 40))} HTTP/1.1", v),
    "query key": lambda d: (f"https://maps.corp.io/js?api_key={(v := run(d, SMALL, 32))}&zoom=3", v),
    "signed url": lambda d: (f"https://b.s3.amazonaws.com/a?X-Amz-Expires=900&X-Amz-Signature={(v := run(d, HEX, 64))}", v),
    "fragment token": lambda d: (f"https://app.corp.io/cb#access_token={(v := run(d, URLSAFE, 48))}&expires_in=3600", v),
    "netrc": lambda d: (f"machine git.corp.io\n  login ci\n  password {(v := _letters(d))}\n", v),
    "pgpass": lambda d: (f"{_host(d)}:5432:orders:app:{(v := _letters(d))}", v),
    "aws file": lambda d: (f"[prod]\naws_access_key_id = AKIA{run(d, BASE32, 16)}\naws_secret_access_key = {(v := TOKENS['aws secret'](d))}\n", v),
    "npmrc": lambda d: (f"//registry.corp.io/:_authToken={(v := guid(d))}", v),
    "npmrc basic": lambda d: (f"//registry.corp.io/:_password={(v := b64(d, 18))}", v),
    "docker config": lambda d: (json.dumps({"auths": {"registry.corp.io": {"auth": (v := base64.b64encode(f"ci:{_letters(d)}".encode()).decode())}}}), v),
    "kubeconfig": lambda d: (f"users:\n- name: admin\n  user:\n    client-key-data: {(v := b64(d, 300))}\n    token: {run(d, URLSAFE, 60)}", v),
    "kubernetes secret": lambda d: (
        f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\ndata:\n  DB_PASSWORD: {(v := base64.b64encode(strong(d).encode()).decode())}\n", v
    ),
    "sql user": lambda d: (f"CREATE USER app WITH LOGIN PASSWORD '{(v := strong(d))}';", v),
    "sql identified": lambda d: (f"GRANT ALL ON orders.* TO 'app'@'%' IDENTIFIED BY '{(v := strong(d))}';", v),
    "redis conf": lambda d: (f"port 6379\nrequirepass {(v := _letters(d))}\n", v),
    "wpa": lambda d: (f'network={{\n  ssid="office"\n  psk="{(v := strong(d))}"\n}}', v),
    "htpasswd": lambda d: (f"alice:{(v := HASHED['apache md5'](d))}", v),
    "laravel key": lambda d: (f"APP_KEY=base64:{(v := b64(d, 32))}", v),
    "wordpress salt": lambda d: (f"define('AUTH_SALT', '{(v := strong(d) + run(d, WORD + MARKS[:9], 44))}');", v),
    "sentry dsn": lambda d: (f"https://{run(d, HEX, 32)}:{(v := run(d, HEX, 32))}@sentry.corp.io/42", v),
    "prose": lambda d: (f"The staging password is {(v := _letters(d))} until Friday.", v),
    "prose colon": lambda d: (f"Note to self, admin pw: {(v := _letters(d))}", v),
    "azure sas": lambda d: (f"https://a.blob.core.windows.net/c?sv=2022-11-02&ss=b&se=2030-01-01&sig={(v := run(d, WORD, 40) + '%2B' + run(d, WORD, 2))}%3D", v),
    "azure service bus": lambda d: (f"Endpoint=sb://orders.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={(v := b64(d, 32))}", v),
    "azure storage": lambda d: (f"DefaultEndpointsProtocol=https;AccountName=a;AccountKey={(v := b64(d, 64))};EndpointSuffix=core.windows.net", v),
    "otpauth": lambda d: (f"otpauth://totp/Corp:ops?secret={(v := run(d, BASE32, 32))}&issuer=Corp", v),
    "discord webhook": lambda d: (f"https://discord.com/api/webhooks/{run(d, DIGITS, 18)}/{(v := run(d, URLSAFE, 68))}", v),
    "slack webhook": lambda d: (f"https://hooks.slack.com/services/T{run(d, BIG, 9)}/B{run(d, BIG, 9)}/{(v := run(d, WORD, 24))}", v),
    "slack workflow": lambda d: (f"https://hooks.slack.com/workflows/T{run(d, BIG, 9)}/A{run(d, BIG, 9)}/{run(d, DIGITS, 18)}/{(v := run(d, WORD, 24))}", v),
    "teams webhook": lambda d: (f"https://c.webhook.office.com/webhookb2/{guid(d)}@{guid(d)}/IncomingWebhook/{(v := run(d, HEX, 32))}/{guid(d)}", v),
    "service account": lambda d: (
        json.dumps({"type": "service_account", "private_key_id": run(d, HEX, 40), "private_key": (v := pem(d, "PRIVATE KEY")) + "\n"}), v
    ),
    "mnemonic": lambda d: ('mnemonic = "' + (v := " ".join(d.choice(PLAIN_WORDS[:38]) for _ in range(12))) + '"', v),
    "wireguard": lambda d: (f"[Interface]\nPrivateKey = {(v := b64(d, 32))}\nAddress = 10.0.0.2/24", v),
    "ethereum": lambda d: (f"const PRIVATE_KEY = '0x{(v := run(d, HEX, 64))}'", v),
    "jwk": lambda d: (json.dumps({"kty": "EC", "crv": "P-256", "x": run(d, URLSAFE, 43), "y": run(d, URLSAFE, 43), "d": (v := run(d, URLSAFE, 43))}), v),
}  # fmt: skip
"""Where secrets are sent or kept: the text and the secret in it."""

AROUND = (
    "value = '{}'", "{}", "- {}", "see {} in the log", 'token: "{}"', "//registry/:_authToken={}", "Bearer {}", "<v>{}</v>", "`{}`",
    "KEY={}", "fetch(url, {{ headers: {{ 'X-Auth': '{}' }} }})", "# old: {}", '  "{}",', "user@host:~$ login {}", "({})", "revoke {}, please",
)  # fmt: skip


def shaped(draw: Draw, each: int) -> Iterator[Case]:
    """So many of every kind that tells by its shape, in any place."""
    for kinds in (ISSUED, HASHED):
        for kind, make in kinds.items():
            for _ in range(each):
                secret = make(draw)
                yield kind, draw.choice(AROUND).format(secret), secret
    for kind, make in BLOCKS.items():
        for _ in range(each):
            block = make(draw)
            yield kind, f"before\n{block}\nafter", block


def sent(draw: Draw, each: int) -> Iterator[Case]:
    """So many of every place."""
    for kind, make in SENT.items():
        for _ in range(each):
            text, secret = make(draw)
            yield kind, text, secret


def assigned(draw: Draw, each: int) -> Iterator[Case]:
    """So many values of every kind, over all places in turn."""
    for carrier in CARRIERS:
        for kind in [*PASSWORDS, *TOKENS]:
            if kind == "passphrase" and carrier in UNQUOTED:
                continue
            for _ in range(each):
                yield named(draw, carrier, kind)
