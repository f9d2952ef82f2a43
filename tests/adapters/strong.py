"""Strong secrets as people leave them: without quotes, in lists, commands, addresses, messages, branches and paths.

Drawn from a seed, none is written down here. A kind is a line. `TUNED` are the kinds that the rules were made with;
`UNSEEN` others, written with them and looked at only when the rules were done.
"""

from __future__ import annotations

import base64
import string
from collections.abc import Callable, Iterator, Mapping

from adapters.issued import (
    BASE32,
    BIG,
    DIGITS,
    HEX,
    LOWER,
    SMALL,
    UPPER,
    URLSAFE,
    WORD,
    Draw,
    b64,
    guid,
    jwt,
    run,
    words,
)

Kind = Callable[[Draw], tuple[str, str]]
"""A text and the secret in it."""
SHELL = "!@#$%^&*"
KEEPER = "!@#$%^&*()-_=+[]{}|;:,.?/~"
WHOLE_WINDOW = 12
"""Characters in a row of a long secret that must not be left; of a short one a third, five at least."""
PHRASE = words(
    "copper lantern orbit willow gravel mitten saddle pepper comet velvet walrus thistle anchor biscuit cactus"
)


def drawn(draw: Draw, marks: str, length: int = 18) -> str:
    """A password as a generator makes it: letters, digits and so many of the marks, one of each sort at least."""
    letters = [draw.choice(LOWER), draw.choice(UPPER), draw.choice(DIGITS), draw.choice(marks)]
    letters += [draw.choice(WORD + marks) for _ in range(length - 4)]
    draw.shuffle(letters)
    return "".join(letters)


def password(draw: Draw, without: str = "") -> str:
    """One of a generator's usual alphabets, but for marks that could not stand in a place."""
    marks = draw.choice((SHELL, "()[]{}", KEEPER, string.punctuation, string.punctuation))
    marks = "".join(mark for mark in marks if mark not in without) or "!_"
    return drawn(draw, marks, draw.choice((14, 16, 18, 18, 20, 24, 32)))


def token(draw: Draw) -> str:
    """What a service draws for a program."""
    return draw.choice(
        [
            lambda: run(draw, HEX, draw.choice([32, 40, 64])),
            lambda: run(draw, URLSAFE, draw.choice([24, 32, 43])),
            lambda: b64(draw, draw.choice([18, 24, 32, 48])),
            lambda: run(draw, WORD, draw.choice([20, 24, 32, 40])),
            lambda: draw.choice(LOWER) + run(draw, SMALL, 30) + draw.choice(DIGITS),
        ]
    )()


def django(draw: Draw) -> str:
    """The key that a new project of Django gets."""
    return "".join(draw.choice(SMALL + "!@#$%^&*(-_=+)") for _ in range(50))


def _p(name: str, text: str, without: str = "") -> Kind:
    def make(draw: Draw) -> tuple[str, str]:
        value = password(draw, without)
        return text.replace("NAME", name).replace("VALUE", value), value

    return make


def _c(text: str, without: str = "`|") -> Kind:
    """An argument of a command, which begins with no mark that would make it another one."""

    def make(draw: Draw) -> tuple[str, str]:
        value = draw.choice(WORD) + password(draw, without)
        return text.replace("VALUE", value), value

    return make


def _t(name: str, text: str) -> Kind:
    def make(draw: Draw) -> tuple[str, str]:
        value = token(draw)
        return text.replace("NAME", name).replace("VALUE", value), value

    return make


def _v(text: str, make: Callable[[Draw], str]) -> Kind:
    def both(draw: Draw) -> tuple[str, str]:
        value = make(draw)
        return text.replace("VALUE", value), value

    return both


def _many(text: str, between: str, make: Callable[[Draw], str], quote: str = "") -> Kind:
    def both(draw: Draw) -> tuple[str, str]:
        values = [make(draw) for _ in range(3)]
        return text.replace("VALUES", between.join(f"{quote}{one}{quote}" for one in values)), "\n".join(values)

    return both


def _encoded(text: str) -> Kind:
    def make(draw: Draw) -> tuple[str, str]:
        value = base64.b64encode(password(draw).encode()).decode()
        return text.replace("VALUE", value), value

    return make


def _fours(draw: Draw, between: str) -> str:
    return between.join(run(draw, LOWER, 4) for _ in range(4))


def _phrase(draw: Draw) -> str:
    return " ".join(draw.sample(PHRASE, draw.randint(4, 6)))


def _plain(draw: Draw) -> str:
    return drawn(draw, "_-.", 16).strip("-._") + "7q"


TUNED: Mapping[str, Kind] = {
    "env": _p("DB_PASSWORD", "DB_HOST=db1\nNAME=VALUE\nPORT=5432\n"),
    "env export": _p("ADMIN_PASSWORD", "export NAME=VALUE"),
    "env lower": _p("smtp_pass", "NAME=VALUE"),
    "yaml": _p("password", "db:\n  host: db1\n  NAME: VALUE\n  port: 5432\n"),
    "yaml dashed": _p("root-password", "NAME: VALUE"),
    "ini": _p("passwd", "[db]\nuser = app\nNAME = VALUE\n"),
    "properties": _p("spring.datasource.password", "NAME=VALUE"),
    "dockerfile": _p("MYSQL_ROOT_PASSWORD", "ENV NAME=VALUE"),
    "compose": _p("POSTGRES_PASSWORD", "    environment:\n      - NAME=VALUE\n"),
    "github actions": _p("DEPLOY_PASSWORD", "        env:\n          NAME: VALUE\n"),
    "json": _p("password", '{"user": "app", "NAME": "VALUE"}', '"\\'),
    "json secret": _t("client_secret", '{"NAME": "VALUE"}'),
    "toml": _p("password", '[db]\nNAME = "VALUE"\n', '"\\'),
    "python": _p("password", 'connect(host="db1", NAME="VALUE", port=1)', '"\\'),
    "python key": _t("API_KEY", "NAME = 'VALUE'"),
    "javascript": _p("dbPassword", "const NAME = 'VALUE';", "'\\"),
    "typescript": _t("accessToken", "  private readonly NAME: string = 'VALUE';"),
    "go": _p("adminPassword", '\tNAME := "VALUE"', '"\\'),
    "java": _p("KEYSTORE_PASSWORD", 'static final String NAME = "VALUE";', '"\\'),
    "ruby": _p("password", "  NAME: 'VALUE',", "'\\"),
    "rust": _t("SIGNING_KEY", 'const NAME: &str = "VALUE";'),
    "php": _p("db_password", "$NAME = 'VALUE';", "'\\"),
    "csharp": _p("Password", 'public string NAME { get; set; } = "VALUE";', '"\\'),
    "shell call": _p("PGPASSWORD", "NAME='VALUE' psql -h db1", "'\\"),
    "prose now": _p("password", "The staging NAME is VALUE now."),
    "prose is": _p("passphrase", "For the backup the NAME is VALUE"),
    "prose colon": _p("password", "Log in as admin, NAME: VALUE"),
    "prose set": _p("admin password", "We set the NAME to VALUE last night", ""),
    "prose of": _p("password", "The NAME of the billing database is VALUE"),
    "prose for": _p("password", "NAME for svc-orders: VALUE"),
    "prose bracket": _p("password", "the old one (NAME: VALUE) still works", "()"),
    "markdown": _p("Password", "- Host: db1\n- NAME: VALUE\n"),
    "markdown bold": _p("Password", "**NAME:** VALUE"),
    "markdown code": _p("DB_PASSWORD", "Run it with `NAME=VALUE` first.", "`"),
    "markdown table": _p("root password", "| NAME | VALUE |\n", "|"),
    "commit subject": _p("DB_PASSWORD", "Use NAME=VALUE on staging"),
    "commit to": _p("admin password", "Change NAME to VALUE"),
    "commit django": _v("Set SECRET_KEY to VALUE", django),
    "commit django equals": _v("Add SECRET_KEY = 'VALUE' to settings", django),
    "commit django blank": _v("Rotate SECRET_KEY VALUE", django),
    "django insecure": _v("old value was django-insecure-VALUE here", django),
    "merge branch": _v("Merge branch 'fix/rotate-password-VALUE' into main", lambda d: drawn(d, "9", 18)),
    "merge request": _v("Merge pull request #12 from ann/api-key-VALUE", lambda d: run(d, HEX, 40)),
    "branch token": _v("hotfix/token-VALUE", lambda d: drawn(d, "7", 24)),
    "path": _v("backup/password-VALUE.txt", lambda d: drawn(d, "3", 16)),
    "path equals": _v("dumps/db/password=VALUE/orders.sql", lambda d: drawn(d, "_", 18)),
    "log": _p("password", "2026-01-05 DEBUG connect user=app NAME=VALUE", ""),
    "url user": _v("postgresql://app:VALUE@db1.internal.corp.io:5432/orders", lambda d: password(d, "/@'\"`<>?#")),
    "url query": _t("access_token", "GET /v1/orders?NAME=VALUE&page=2"),
    "names b64": _encoded("DB_PASSWORD_B64=VALUE"),
    "names base64": _encoded("admin_password_base64: VALUE"),
    "names enc": _t("API_TOKEN_ENC", "NAME=VALUE"),
    "storage key": _v("AZURE_STORAGE_KEY=VALUE", lambda d: b64(d, 64)),
    "storage key yaml": _v("storage_key: VALUE", lambda d: b64(d, 64)),
    "account key": _v('account_key = "VALUE"', lambda d: b64(d, 64)),
    "keys list": _many("API_KEYS=[VALUES]", ", ", lambda d: run(d, WORD, 32), '"'),
    "keys bare": _many("API_KEYS=[VALUES]", ",", lambda d: run(d, WORD, 32)),
    "tokens": _many("TOKENS=VALUES", ",", lambda d: run(d, URLSAFE, 32)),
    "passwords": _many("passwords = [VALUES]", ", ", lambda d: password(d, "'\\"), "'"),
    "yaml tokens": _many("auth_tokens:\n  - VALUES\n", "\n  - ", token),
    "json secrets": _many('"client_secrets": [VALUES]', ",\n  ", token, '"'),
    "secure string": _c("$p = ConvertTo-SecureString 'VALUE' -AsPlainText -Force", "'`|"),
    "secure string flag": _c('ConvertTo-SecureString -String "VALUE" -AsPlainText -Force', '"`$'),
    "net use": _c(r"net use Z: \\files\share /user:CORP\ann VALUE", "\"'`|"),
    "net use before": _c(r"net use Z: \\files\share VALUE /user:CORP\ann", "\"'/`|"),
    "smbclient": _c("smbclient //files/share -U ann%VALUE -c ls", "\"'`|"),
    "curl": _c("curl -u deploy:VALUE https://repo.corp.io/up", "\"'`"),
    "curl quoted": _c("curl --user 'deploy:VALUE' https://repo.corp.io/up", "'`|"),
    "mysql": _c("mysql -h db1 -u root -pVALUE orders", "\"'`"),
    "sshpass": _c("sshpass -p VALUE ssh ops@db1", "\"'`"),
    "ldapsearch": _c("ldapsearch -x -D cn=admin -w VALUE -b dc=corp", "\"'`"),
    "sqlcmd": _c("sqlcmd -S db1 -U sa -P VALUE -Q 'select 1'", "\"'`"),
    "redis-cli": _c("redis-cli -h cache1 -a VALUE ping", "\"'`"),
    "net user": _c("net user svc VALUE /add", "\"'/`|"),
    "xfreerdp": _c("xfreerdp /v:desk1 /u:ann /p:VALUE", "\"'`|"),
    "app password": _v("app password: VALUE", lambda d: _fours(d, " ")),
    "app password env": _v("GMAIL_APP_PASSWORD=VALUE", lambda d: _fours(d, " ")),
    "app password quoted": _v('smtp_password = "VALUE"', lambda d: _fours(d, " ")),
    "apple app password": _v("My app-specific password is VALUE.", lambda d: _fours(d, "-")),
    "passphrase": _v("passphrase: VALUE", _phrase),
    "passphrase is": _v("The passphrase is VALUE.", _phrase),
    "zapier": _v("https://hooks.zapier.com/hooks/catch/1234567/VALUE/", lambda d: run(d, SMALL, 7)),
    "slack": lambda d: ((v := run(d, WORD, 24)) and f"post to https://hooks.slack.com/services/T{run(d, BIG, 9)}/B{run(d, BIG, 9)}/{v}", v),
    "make.com": _v("url: https://hook.eu1.make.com/VALUE", lambda d: run(d, SMALL, 32)),
    "mattermost": _v("https://chat.corp.io/hooks/VALUE", lambda d: run(d, SMALL, 26)),
    "teams": lambda d: ((v := run(d, HEX, 32)) and f"https://corp.webhook.office.com/webhookb2/{guid(d)}@{guid(d)}/IncomingWebhook/{v}/{guid(d)}", v),
    "google chat": lambda d: ((v := run(d, URLSAFE, 43)) and f"https://chat.googleapis.com/v1/spaces/AAAAx/messages?key=AIza{run(d, WORD, 35)}&token={v}", v),
    "vercel blob": _v("BLOB=VALUE", lambda d: f"vercel_blob_rw_{run(d, WORD, 16)}_{run(d, WORD, 30)}"),
    "neon": _v("see VALUE", lambda d: "napi_" + run(d, SMALL, 64)),
    "aiven": _v("user avnadmin VALUE", lambda d: "AVNS_" + run(d, URLSAFE, 19)),
    "together": _v("export T=VALUE", lambda d: "tgp_v1_" + run(d, URLSAFE, 43)),
    "tavily": _v("Tavily VALUE", lambda d: "tvly-dev-" + run(d, WORD, 32)),
    "jina": _v("VALUE", lambda d: "jina_" + run(d, HEX, 32) + run(d, WORD, 28)),
    "e2b": _v("e2b: VALUE", lambda d: "e2b_" + run(d, HEX, 40)),
    "resend": _v("Resend(VALUE)", lambda d: f"re_{run(d, WORD, 8)}_{run(d, WORD, 24)}"),
    "google studio": _v("genai VALUE", lambda d: "AQ.Ab8" + run(d, URLSAFE, 47)),
    "fireworks": _v("x VALUE", lambda d: "fw_" + run(d, WORD, 24)),
    "cerebras": _v("x VALUE", lambda d: "csk-" + run(d, SMALL, 48)),
    "firecrawl": _v("x VALUE", lambda d: "fc-" + run(d, HEX, 32)),
    "elevenlabs": _v("x VALUE", lambda d: "sk_" + run(d, HEX, 48)),
}  # fmt: skip

UNSEEN: Mapping[str, Kind] = {
    "env spring": _p("SPRING_MAIL_PASSWORD", "NAME=VALUE\nSPRING_MAIL_PORT=25\n"),
    "env two": _p("REDIS_PASSWORD", "REDIS_HOST=r1\nNAME=VALUE"),
    "systemd": _p("APP_PASSWORD", "[Service]\nEnvironment=NAME=VALUE\n", "\"'\\"),
    "ansible": _p("ansible_become_pass", "db1 ansible_host=10.0.0.1 NAME=VALUE\n", "\"'"),
    "helm values": _p("adminPassword", "grafana:\n  NAME: VALUE\n"),
    "helm set": _p("auth.rootPassword", "helm install db chart --set NAME=VALUE", "\"'`,"),
    "k8s literal": _p("password", "kubectl create secret generic db --from-literal=NAME=VALUE", "\"'`"),
    "makefile": _p("FTP_PASSWORD", "NAME := VALUE\n"),
    "batch": _p("ADMIN_PWD", "set NAME=VALUE\n"),
    "crontab": _p("BACKUP_PASSPHRASE", "NAME=VALUE\n0 3 * * * backup\n"),
    "hocon": _p("keystore-password", "ssl.NAME = VALUE\n"),
    "php ini": _p("mysqli.default_pw", "NAME = VALUE\n"),
    "wifi": _p("psk", 'network={\n  ssid="office"\n  NAME="VALUE"\n}', '"\\'),
    "terraform": _p("master_password", '  NAME = "VALUE"\n', '"\\$%'),
    "json escaped": _p("password", r'body = "{\"NAME\": \"VALUE\"}"', '"\\'),
    "xml": _p("password", "<server><NAME>VALUE</NAME></server>", "<>&"),
    "xml attribute": _p("password", '<dataSource user="app" NAME="VALUE" />', '"<>&'),
    "kotlin": _p("keyPassword", 'NAME = "VALUE"', '"\\$'),
    "swift": _t("apiSecret", 'let NAME = "VALUE"'),
    "scala": _p("dbPassword", 'val NAME: String = "VALUE"', '"\\'),
    "c define": _p("ADMIN_PASSWORD", '#define NAME "VALUE"', '"\\'),
    "perl": _p("passwd", "my $NAME = 'VALUE';", "'\\"),
    "r": _t("api_key", 'NAME <- "VALUE"'),
    "elixir": _p("password", 'config :app, App.Repo, NAME: "VALUE"', '"\\#'),
    "lua": _t("auth_token", 'local NAME = "VALUE"'),
    "dart": _t("clientSecret", "final NAME = 'VALUE';"),
    "powershell": _p("AdminPassword", "$NAME = 'VALUE'", "'"),
    "sql": _p("PASSWORD", "ALTER ROLE app WITH LOGIN NAME 'VALUE';", "'\\"),
    "sql comment": _p("password", "-- NAME: VALUE\n"),
    "code comment": _p("password", "// test account, NAME: VALUE\n"),
    "python comment": _p("password", "    # NAME = VALUE\n"),
    "prose was": _p("password", "Until March the NAME was VALUE and nobody noticed"),
    "prose changed": _p("root password", "I changed the NAME to VALUE"),
    "prose new": _p("password", "new NAME is now VALUE, tell Ops"),
    "prose user": _p("password", "user: admin NAME: VALUE"),
    "prose on": _p("password", "NAME on the staging server = VALUE"),
    "prose line": _p("Password", "Username: ann\nNAME: VALUE\n"),
    "prose key": _t("API key", "The NAME is VALUE"),
    "prose token": _t("access token", "My NAME: VALUE"),
    "chat": _p("pw", "NAME: VALUE"),
    "chat pwd": _p("pwd", "the NAME is VALUE btw"),
    "wiki": _p("Passwort", "* NAME: VALUE"),
    "todo": _p("password", "TODO remove NAME=VALUE before release"),
    "changelog": _p("DEFAULT_PASSWORD", "* NAME is now VALUE", "*"),
    "issue": _p("password", "Steps:\n1. log in with NAME VALUE\n", "("),
    "commit rotate": _p("smtp_password", "Rotate NAME: VALUE"),
    "commit fix": _t("webhook_secret", "fix: NAME is VALUE"),
    "commit revert": _p("DB_PASS", 'Revert "Set NAME=VALUE"', '"'),
    "commit body": _p("password", "Fix login\n\nThe NAME had been VALUE before."),
    "commit key": _v("Bump SECRET_KEY: VALUE", django),
    "commit flask": _v("app.secret_key = VALUE", django),
    "merge remote": _v("Merge remote-tracking branch 'origin/secret-VALUE'", lambda d: drawn(d, "5", 20)),
    "merge into": _v("Merge branch 'auth_token_VALUE'", lambda d: run(d, HEX, 32)),
    "branch issue": _v("feature/PROJ-12-new-db-password-VALUE", lambda d: drawn(d, "8", 16)),
    "path key": _v("config/keys/api_key_VALUE.json", lambda d: drawn(d, "6", 28)),
    "path json": _v("certs/token.VALUE.json", lambda d: run(d, HEX, 40)),
    "traceback": _p("password", "  connect(user='app', NAME='VALUE')\nOperationalError: refused", "'\\"),
    "log json": _p("password", '{"level":"debug","NAME":"VALUE"}', '"\\'),
    "curl form": _t("client_secret", "curl -d 'grant_type=x&NAME=VALUE&scope=a' https://login.corp.io"),
    "url mongo": _v("mongodb+srv://app:VALUE@c0.corp.io/orders", lambda d: password(d, "/@'\"`<>?#")),
    "url amqp": _v("amqps://svc:VALUE@mq.corp.io:5671/v", lambda d: password(d, "/@'\"`<>?#")),
    "jdbc": _v("jdbc:mysql://db1.corp.io/app?user=a&password=VALUE", lambda d: password(d, "&'\"`<>")),
    "ado": _v("Server=db1;User Id=sa;Password=VALUE;Encrypt=True", lambda d: password(d, ";'\"`<>")),
    "names plain": _t("AUTH_TOKEN_HEX", "NAME=VALUE"),
    "names encoded": _encoded("SMTP_PASS_ENCODED=VALUE"),
    "names yaml b64": _encoded("  root_password_b64: VALUE"),
    "names camel": _t("storageAccountKey", 'NAME: "VALUE"'),
    "names primary": _v("STORAGE_ACCOUNT_KEY_PRIMARY=VALUE", lambda d: b64(d, 64)),
    "signing keys": _many("SIGNING_KEYS = (VALUES)", ", ", token, "'"),
    "secrets csv": _many("WEBHOOK_SECRETS=VALUES", ",", lambda d: run(d, HEX, 40)),
    "api tokens toml": _many("api_tokens = [\n  VALUES\n]", ",\n  ", token, '"'),
    "yaml passwords": _many("passwords:\n- VALUES\n", "\n- ", lambda d: password(d, "\"'`,#")),
    "go slice": _many("apiKeys := []string{VALUES}", ", ", token, '"'),
    "js array": _many("const accessTokens = [VALUES];", ", ", token, "'"),
    "passwords map": lambda d: ((vs := [password(d, "'\\") for _ in "ab"]) and f"passwords = {{'ann': '{vs[0]}', 'bob': '{vs[1]}'}}", "\n".join(vs)),
    "secure string bare": _c('"VALUE" | ConvertTo-SecureString -AsPlainText -Force', '"`$'),
    "credential": _c("$pw = ConvertTo-SecureString VALUE -AsPlainText -Force", "\"'`$"),
    "net use share": _c(r'net use \\srv\c$ "VALUE" /user:admin', '"'),
    "net use star": _c(r"NET USE * \\10.0.0.1\data /USER:ann VALUE /persistent:no", "\"'/`|"),
    "smbclient quoted": _c("smbclient -L files -U 'ann%VALUE'", "'`|"),
    "mount cifs": _c("mount -t cifs //f/s /mnt -o username=ann,password=VALUE", "\"'`,"),
    "curl proxy": _c("curl --proxy-user ann:VALUE https://corp.io", "\"'`"),
    "wget": _c("wget --user=ann --password=VALUE https://corp.io/a", "\"'`"),
    "mysqldump": _c("mysqldump -uroot -p'VALUE' orders > d.sql", "'`|"),
    "mongosh": _c("mongosh db1/orders -u app -p VALUE", "\"'`"),
    "psexec": _c(r"psexec \\desk1 -u ann -p VALUE cmd", "\"'`"),
    "plink": _c("plink -ssh ops@db1 -pw VALUE", "\"'`"),
    "ipmitool": _c("ipmitool -H bmc1 -U admin -P VALUE power on", "\"'`"),
    "htpasswd": _c("htpasswd -b .htpasswd ann VALUE", "\"'`"),
    "rabbitmq": _c("rabbitmqctl add_user svc VALUE", "\"'`"),
    "chpasswd": _c("echo 'ann:VALUE' | chpasswd", "'`|"),
    "openssl": _c("openssl enc -aes-256-cbc -pass pass:VALUE -in a", "\"'`"),
    "gpg": _c("gpg --batch --passphrase VALUE -d a.gpg", "\"'`"),
    "lftp": _c("lftp -u ann,VALUE ftp.corp.io", "\"'`"),
    "cmdkey": _c("cmdkey /add:desk1 /user:ann /pass:VALUE", "\"'`|"),
    "az login": _c("az login --service-principal -u app -p VALUE --tenant t", "\"'`"),
    "vault login": _v("vault login VALUE", lambda d: "hvs." + run(d, URLSAFE, 90)),
    "app password prose": _v("use this app password: VALUE", lambda d: _fours(d, " ")),
    "app password line": _v("EMAIL_HOST_PASSWORD = VALUE", lambda d: _fours(d, " ")),
    "passphrase line": _v("Wifi passphrase: VALUE", _phrase),
    "passphrase yaml": _v("backup_passphrase: VALUE\n", _phrase),
    "discord": _v("https://discord.com/api/webhooks/123456789012345678/VALUE", lambda d: run(d, URLSAFE, 68)),
    "feishu": _v("https://open.feishu.cn/open-apis/bot/v2/hook/VALUE", guid),
    "zapier quoted": _v('"https://hooks.zapier.com/hooks/catch/7654321/VALUE"', lambda d: run(d, SMALL, 7)),
    "ifttt": _v("https://maker.ifttt.com/trigger/done/with/key/VALUE", lambda d: run(d, URLSAFE, 22)),
    "rocket.chat": lambda d: ((v := run(d, WORD, 48)) and f"https://chat.corp.io/hooks/{run(d, WORD, 17)}/{v}", v),
    "wecom": _v("https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=VALUE", guid),
    "power automate": _v("https://prod-1.westeurope.logic.azure.com/workflows/a/triggers/manual/paths/invoke?sp=%2F&sig=VALUE", lambda d: run(d, URLSAFE, 43)),
    "apify": _v("VALUE", lambda d: "apify_api_" + run(d, WORD, 36)),
    "posthog": _v("x VALUE", lambda d: "phx_" + run(d, WORD, 43)),
    "langfuse": _v("x VALUE", lambda d: "sk-lf-" + guid(d)),
    "render": _v("x VALUE", lambda d: "rnd_" + run(d, WORD, 28)),
    "runpod": _v("x VALUE", lambda d: "rpa_" + run(d, BIG, 40) + run(d, SMALL, 6)),
    "polar": _v("x VALUE", lambda d: "polar_oat_" + run(d, WORD, 43)),
    "mailersend": _v("x VALUE", lambda d: "mlsn." + run(d, HEX, 64)),
    "stytch": _v("x VALUE", lambda d: f"secret-live-{run(d, URLSAFE, 32)}=="),
    "mongodb atlas": _v("x VALUE", lambda d: f"mdb_sa_sk_{run(d, WORD, 40)}"),
    "snyk": _v("x VALUE", lambda d: f"snyk_uat.{run(d, HEX, 8)}.{run(d, WORD, 86)}"),
    "voyage": _v("x VALUE", lambda d: "pa-" + run(d, URLSAFE, 43)),
    "onesignal": _v("x VALUE", lambda d: "os_v2_app_" + run(d, LOWER + "234567", 103)),
    "daytona": _v("x VALUE", lambda d: "dtn_" + run(d, HEX, 64)),
    "cursor": _v("x VALUE", lambda d: "key_" + run(d, HEX, 64)),
    "clickup": _v("x VALUE", lambda d: f"pk_{run(d, DIGITS, 8)}_{run(d, BIG, 32)}"),
    "cloudflare user": _v("x VALUE", lambda d: "cfut_" + run(d, WORD, 40)),
    "base32": _v("totp secret = VALUE", lambda d: run(d, BASE32, 32)),
    "jwt in prose": _v("The bearer token is VALUE for now", jwt),
}  # fmt: skip


def planted(kinds: Mapping[str, Kind], draw: Draw, each: int) -> Iterator[tuple[str, str, str]]:
    """Triples of kind, text and the secret in it (a line each where there are several)."""
    for kind, make in kinds.items():
        for _ in range(each):
            text, secret = make(draw)
            yield kind, text, secret


def left_of(secret: str, text: str) -> str:
    """A run of a secret's characters that is still in a text, long enough to be of use; empty where there is none."""
    for line in secret.splitlines():
        size = min(len(line), WHOLE_WINDOW, max(5, len(line) // 3))
        for at in range(len(line) - size + 1):
            if line[at : at + size] in text:
                return line[at : at + size]
    return ""
