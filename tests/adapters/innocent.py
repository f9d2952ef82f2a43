"""Harmless lines that share words, shapes or chance with secrets, drawn from a seed.

Independent of the look-alikes in `planted`: other sources, other languages. Each maker is one way to be mistaken.
"""

from __future__ import annotations

import base64
import string
from collections.abc import Callable, Iterator

from adapters.issued import BASE64, BIG, DIGITS, HEX, LOWER, SMALL, UPPER, WORD, Draw, b64, guid, run, words

THINGS = words(
    "order invoice cart session profile report widget layer schedule batch worker channel message ticket payment region "
    "cluster replica shard snapshot export import upload avatar comment review product catalog search filter"
)
FAKE = (
    "changeme", "your-api-key-here", "<your-token>", "xxxxxxxxxxxx", "test", "testpassword", "password123", "dummy", "secret",
    "fake-token-for-tests", "YOUR_API_KEY", "example", "foobar", "REPLACE_ME", "...", "todo", "not-a-real-key", "abc123",
    "super-secret", "my-secret-key", "12345678", "0123456789abcdef", "aaaaaaaaaaaaaaaa",
    "insert-token-here", "sample_key", "test-token-1", "deadbeefdeadbeef", "qwerty123", "letmein", "access-token-placeholder",
    "00000000-0000-0000-0000-000000000000", "sk_test_xxxxxxxxxxxxxxxxxxxxxxxx", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "user:pass", "admin", "root", "<redacted>", "[FILTERED]", "********", "abcdefghijklmnop",
)  # fmt: skip
NAMES = (
    "password", "api_key", "apiKey", "secret", "token", "access_token", "client_secret", "AUTH_TOKEN", "db_password",
    "secretKey", "private_key", "passphrase", "JWT_SECRET", "encryptionKey",
)  # fmt: skip
SPOKEN = (
    "Password", "Enter your password", "Forgot password?", "Passwort vergessen?", "Mot de passe oublié", "Contraseña",
    "Repeat the new password", "Your password must have at least 8 characters.", "API token", "Secret key copied!",
    "Das Passwort ist falsch", "Het wachtwoord klopt niet", "パスワード", "密码不能为空", "Введите пароль", "Senha inválida",
)  # fmt: skip


def _thing(draw: Draw) -> str:
    return draw.choice(THINGS)


def _snake(draw: Draw) -> str:
    return f"{_thing(draw)}_{_thing(draw)}"


def _camel(draw: Draw) -> str:
    return f"{_thing(draw)}{_thing(draw).title()}"


def _name(draw: Draw) -> str:
    return draw.choice(NAMES)


def _key_line(draw: Draw) -> str:
    return f"{run(draw, BASE64, 64)}"


INNOCENT: dict[str, Callable[[Draw], str]] = {
    "git log": lambda d: f"commit {run(d, HEX, 40)}\nMerge: {run(d, HEX, 7)} {run(d, HEX, 7)}\nAuthor: A. Token <a@key.org>",
    "git ref": lambda d: f"{run(d, HEX, 40)} refs/heads/feature/{_thing(d)}-token-refresh",
    "git index": lambda d: f"index {run(d, HEX, 7)}..{run(d, HEX, 7)} 100644",
    "submodule": lambda d: f"-{run(d, HEX, 40)} vendor/{_thing(d)} (v1.{d.randint(0, 9)}.0-3-g{run(d, HEX, 7)})",
    "fixes": lambda d: f"Fixes: {run(d, HEX, 12)} (\"{_thing(d)}: drop the stale auth key\")",
    "cherry": lambda d: f"(cherry picked from commit {run(d, HEX, 40)})",
    "change id": lambda d: f"Change-Id: I{run(d, HEX, 40)}",
    "package lock": lambda d: f'      "integrity": "sha512-{b64(d, 64)}",',
    "yarn lock": lambda d: f'  resolved "https://packages.corp.io/{_thing(d)}/-/{_thing(d)}-1.0.{d.randint(0, 9)}.tgz#{run(d, HEX, 40)}"',
    "yarn integrity": lambda d: f"  integrity sha512-{b64(d, 64)}",
    "poetry lock": lambda d: f'    {{file = "{_thing(d)}-1.2-py3-none-any.whl", hash = "sha256:{run(d, HEX, 64)}"}},',
    "pip hash": lambda d: f"{_thing(d)}==1.{d.randint(0, 9)} --hash=sha256:{run(d, HEX, 64)}",
    "go sum": lambda d: f"github.com/{_thing(d)}/{_thing(d)} v1.2.3/go.mod h1:{b64(d, 32)}",
    "cargo lock": lambda d: f'checksum = "{run(d, HEX, 64)}"',
    "gemfile lock": lambda d: f"  {_thing(d)} (1.2.{d.randint(0, 9)}) sha256={run(d, HEX, 64)}",
    "pipfile lock": lambda d: f'        "sha256": "{run(d, HEX, 64)}"',
    "composer lock": lambda d: f'                "reference": "{run(d, HEX, 40)}",',
    "content hash": lambda d: f'    "content-hash": "{run(d, HEX, 32)}",',
    "nix": lambda d: f'    sha256 = "{run(d, SMALL, 52)}";',
    "nix sri": lambda d: f'    hash = "sha256-{b64(d, 32)}";',
    "action pin": lambda d: f"      - uses: actions/{_thing(d)}@{run(d, HEX, 40)} # v4",
    "image digest": lambda d: f"FROM python:3.11-slim@sha256:{run(d, HEX, 64)}",
    "checksum file": lambda d: f"{run(d, HEX, 64)}  {_thing(d)}-1.2.tar.gz",
    "script integrity": lambda d: f'<script src="/{_thing(d)}.js" integrity="sha384-{b64(d, 48)}" crossorigin="anonymous"></script>',
    "csp": lambda d: f"Content-Security-Policy: script-src 'sha256-{b64(d, 32)}' 'nonce-{run(d, WORD, 16)}'",
    "etag": lambda d: f'ETag: W/"{run(d, HEX, 32)}"',
    "asset": lambda d: f'<link href="/assets/{_thing(d)}.{run(d, HEX, 8)}.css" rel="stylesheet">',
    "webpack": lambda d: f'"static/js/{_thing(d)}.{run(d, HEX, 20)}.chunk.js",',
    "uuid": lambda d: f'{_thing(d)}_id = "{guid(d)}"',
    "uuid param": lambda d: f"GET /v1/{_thing(d)}s/{guid(d)}?include=token_count",
    "uuid object": lambda d: f"  id: '{guid(d)}', type: 'token',",
    "request id": lambda d: f"2026-01-05 INFO auth request_id={guid(d)} user_id={d.randint(1, 9999)} ok",
    "traceparent": lambda d: f"traceparent: 00-{run(d, HEX, 32)}-{run(d, HEX, 16)}-01",
    "snapshot": lambda d: f"exports[`{_thing(d)} renders the token field 1`] = `",
    "data image": lambda d: f'src="data:image/png;base64,iVBORw0KGgo{b64(d, 90)}"',
    "data font": lambda d: f"  src: url(data:font/woff2;base64,d09GMg{b64(d, 80)}) format('woff2');",
    "certificate": lambda d: f"-----BEGIN CERTIFICATE-----\n{_key_line(d)}\n{_key_line(d)}\n-----END CERTIFICATE-----",
    "public key": lambda d: f"-----BEGIN PUBLIC KEY-----\n{_key_line(d)}\n{_key_line(d)}\n-----END PUBLIC KEY-----",
    "public key line": lambda d: f'public_key = "{b64(d, 32)}"',
    "ssh public": lambda d: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{run(d, BASE64, 43)} ann@desk",
    "ssh rsa": lambda d: f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{run(d, BASE64, 340)} ci@runner",
    "fingerprint": lambda d: f"Key fingerprint = {' '.join(run(d, DIGITS + 'ABCDEF', 4) for _ in range(10))}",
    "sha256 fingerprint": lambda d: f"SHA256:{b64(d, 32).rstrip('=')} ci@host (ED25519)",
    "key id": lambda d: f"gpg: using RSA key {run(d, DIGITS + 'ABCDEF', 40)}",
    "pem check": lambda d: 'if "-----BEGIN PRIVATE KEY-----" in text and text.endswith("-----END PRIVATE KEY-----"):',
    "pem docs": lambda d: "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
    "minified": lambda d: f"var {run(d, LOWER, 1)}=function(t,n){{return t.key===n.key&&t.token!==n.token}};e.auth=n({d.randint(100, 999)});",
    "colour": lambda d: f"--{_thing(d)}-key-color: #{run(d, HEX, 8)};",
    "colours": lambda d: f"tokens: {{ primary: '#{run(d, HEX, 6)}', secondary: 'rgba({d.randint(0, 255)}, 0, 12, .5)' }}",
    "svg": lambda d: f'<path d="M{d.randint(1, 99)}.5 {d.randint(1, 99)}c0-.{d.randint(1, 99)} 1.2-{d.randint(1, 9)}.3 2.1h{d.randint(1, 99)}z" key="icon"/>',
    "version": lambda d: f'"jsonwebtoken": "^{d.randint(0, 9)}.{d.randint(0, 30)}.{d.randint(0, 9)}",',
    "pre-release": lambda d: f"auth-token-sdk@{d.randint(0, 9)}.{d.randint(0, 30)}.0-beta.{d.randint(1, 9)}+build.{run(d, HEX, 7)}",
    "env python": lambda d: f'{_name(d)} = os.environ["{_snake(d).upper()}_SECRET"]',
    "env default": lambda d: f'TOKEN = os.getenv("{_snake(d).upper()}_TOKEN", "")',
    "env node": lambda d: f"  {_name(d)}: process.env.{_snake(d).upper()}_KEY ?? '',",
    "env go": lambda d: f'apiKey := os.Getenv("{_snake(d).upper()}_API_KEY")',
    "env ruby": lambda d: f'password: <%= ENV.fetch("{_snake(d).upper()}_PASSWORD") %>',
    "env php": lambda d: f"'password' => env('{_snake(d).upper()}_PASSWORD', ''),",
    "env java": lambda d: f'String apiKey = System.getenv("{_snake(d).upper()}_KEY");',
    "env rust": lambda d: f'let token = std::env::var("{_snake(d).upper()}_TOKEN").expect("token is missing");',
    "env csharp": lambda d: f'var key = Configuration["{_thing(d).title()}:ApiKey"];',
    "env shell": lambda d: f'export {_snake(d).upper()}_TOKEN="${{{_snake(d).upper()}_TOKEN:?not set}}"',
    "env shell command": lambda d: f'TOKEN=$(aws secretsmanager get-secret-value --secret-id prod/{_thing(d)} --query SecretString)',
    "env compose": lambda d: f"      POSTGRES_PASSWORD: ${{{_thing(d).upper()}_PASSWORD}}",
    "env batch": lambda d: f"set API_KEY=%{_thing(d).upper()}_API_KEY%",
    "github secret": lambda d: f"          token: ${{{{ secrets.{_snake(d).upper()}_TOKEN }}}}",
    "gitlab variable": lambda d: f'    - docker login -u "$CI_USER" -p "$CI_{_thing(d).upper()}_PASSWORD" $CI_REGISTRY',
    "helm": lambda d: f"  password: {{{{ .Values.{_thing(d)}.password | b64enc | quote }}}}",
    "ansible": lambda d: f'  mysql_password: "{{{{ vault_{_thing(d)}_password }}}}"',
    "terraform": lambda d: f"  password = var.{_thing(d)}_password",
    "terraform data": lambda d: f"  secret_key = data.aws_secretsmanager_secret_version.{_thing(d)}.secret_string",
    "kubernetes ref": lambda d: f"            secretKeyRef:\n              name: {_thing(d)}-secret\n              key: {_thing(d)}-password",
    "properties": lambda d: f"spring.datasource.password=${{{_thing(d).upper()}_DB_PASSWORD}}",
    "url env": lambda d: f"DATABASE_URL=postgres://${{DB_USER}}:${{DB_PASSWORD}}@{_thing(d)}-db:5432/app",
    "url docs": lambda d: f"mysql://user:password@localhost:3306/{_thing(d)}",
    "url template": lambda d: f'f"amqp://{{user}}:{{password}}@{{host}}:5672/{_thing(d)}"',
    "url port": lambda d: f"http://{_thing(d)}.internal:{d.randint(1024, 9999)}/@types/token?key={_thing(d)}",
    "url page": lambda d: f"https://docs.corp.io/{_thing(d)}/api-keys/rotate-your-secret-key?lang=en&page={d.randint(1, 99)}",
    "url git": lambda d: f"git@github.com:{_thing(d)}/{_thing(d)}-auth.git",
    "basic docs": lambda d: "Authorization: Basic " + base64.b64encode(b"username:password").decode(),
    "bearer docs": lambda d: f"curl -H 'Authorization: Bearer {d.choice(['$TOKEN', '<token>', 'YOUR_TOKEN', '{token}', '${API_TOKEN}', 'xxx'])}' https://api.corp.io",
    "curl docs": lambda d: "curl -u username:password https://api.corp.io/" + _thing(d),
    "fake": lambda d: f'{_name(d)} = "{d.choice(FAKE)}"',
    "fake yaml": lambda d: f"{_name(d)}: {d.choice(FAKE)}",
    "fake env": lambda d: f"{_name(d).upper()}={d.choice(FAKE)}",
    "fake json": lambda d: f'  "{_name(d)}": "{d.choice(FAKE)}",',
    "fake js": lambda d: f"const {_name(d)} = '{d.choice(FAKE)}';",
    "fixture user": lambda d: f'User.objects.create_user("{_thing(d)}", password="{d.choice(["test1234", "password", "testpass123", "secret"])}")',
    "fixture login": lambda d: "client.post('/login', data={'username': 'ann', 'password': 'wrong-password'})",
    "spoken": lambda d: f'  "password": "{d.choice(SPOKEN)}",',
    "spoken key": lambda d: f"{_thing(d)}.token.label = {d.choice(SPOKEN)}",
    "spoken xml": lambda d: f'<string name="prompt_password">{d.choice(SPOKEN)}</string>',
    "spoken po": lambda d: f'msgid "{d.choice(SPOKEN)}"',
    "html": lambda d: f'<input type="password" id="{_thing(d)}-password" name="password" placeholder="Password" autocomplete="new-password">',
    "html label": lambda d: f'<label for="{_thing(d)}_token">Access token</label>',
    "css": lambda d: f".password-{_thing(d)}::placeholder, #api-key-{_thing(d)} {{ width: {d.randint(1, 99)}px }}",
    "enum": lambda d: f"  {_thing(d).upper()}_TOKEN = '{_thing(d)}_token',",
    "enum java": lambda d: f'    PASSWORD_RESET("password_reset"), API_KEY("api_key"), {_thing(d).upper()}("{_thing(d)}");',
    "constant": lambda d: f'const {_thing(d).upper()}_KEY = "{_snake(d)}_key";',
    "storage key": lambda d: f"localStorage.getItem('{_camel(d)}AuthToken')",
    "cache key": lambda d: f'cache_key = f"{_thing(d)}:{{user.id}}:{_thing(d)}"',
    "key path": lambda d: f'key_file = "/etc/ssl/{_thing(d)}/server.key"',
    "secret path": lambda d: f"POSTGRES_PASSWORD_FILE=/run/secrets/{_thing(d)}_password",
    "secret name": lambda d: f'secretName: {_thing(d)}-tls-{run(d, SMALL, 5)}',
    "secret arn": lambda d: f"secret_arn = arn:aws:secretsmanager:eu-west-1:{run(d, DIGITS, 12)}:secret:{_thing(d)}",
    "key id aws": lambda d: f'kms_key_id = "{guid(d)}"',
    "client id": lambda d: f'client_id = "{guid(d)}"',
    "type hint": lambda d: f"def {_thing(d)}(self, token: Token, password: SecretStr | None = None) -> AuthToken:",
    "parameter": lambda d: f"    {_thing(d)}(user, password=password, token=self._token, key=lambda row: row.key)",
    "getter": lambda d: f"  const token = await this.authService.get{_thing(d).title()}Token(user.id);",
    "compare": lambda d: f"  if (token !== expected{_thing(d).title()}Token) throw new InvalidTokenError('token mismatch');",
    "hash code": lambda d: f"user.password = hash_password(password, salt=generate_salt({d.randint(8, 32)}))",
    "java code": lambda d: f"    this.password = Objects.requireNonNull(builder.{_thing(d)}Password, \"password\");",
    "php code": lambda d: f"$password = $request->input('{_thing(d)}_password'); $token = Str::random({d.randint(20, 60)});",
    "rust code": lambda d: f"    let token: Option<&str> = headers.get(AUTH_TOKEN).and_then(|{_thing(d)}| {_thing(d)}.to_str().ok());",
    "go code": lambda d: f"\tif err := bcrypt.CompareHashAndPassword([]byte({_camel(d)}.Password), []byte(password)); err != nil {{",
    "c code": lambda d: f"static const char *token_names[] = {{ \"{_thing(d)}\", \"{_thing(d)}\" }}; /* key = 0x{run(d, HEX, 8)} */",
    "rules": lambda d: f"'password' => ['required', 'string', 'min:{d.randint(6, 12)}', 'confirmed'], 'token' => 'required|max:255',",
    "schema": lambda d: f'password: {{ type: "string", minLength: {d.randint(6, 12)}, pattern: "^(?=.*[A-Z])(?=.*\\\\d).+$" }}',
    "sql": lambda d: f"ALTER TABLE {_thing(d)}s ADD COLUMN api_key varchar({d.randint(32, 255)}) NOT NULL, ADD PRIMARY KEY (id);",
    "sql select": lambda d: f"SELECT password_hash, token_expires_at FROM {_thing(d)}s WHERE token = $1 AND key = :key",
    "class": lambda d: f"AUTHENTICATION_BACKEND = '{_thing(d)}.backends.{_thing(d).title()}TokenBackend'",
    "validator": lambda d: f'{{"NAME": "django.contrib.auth.password_validation.{_thing(d).title()}Validator"}},',
    "scope": lambda d: f"token_scope: read:{_thing(d)} write:{_thing(d)}",
    "token url": lambda d: f'token_url = "https://auth.corp.io/{_thing(d)}/oauth2/token"',
    "token count": lambda d: f"max_tokens: {d.randint(100, 9999)}, token_limit={d.randint(100, 9999)}, pad_token='[PAD]', eos_token=\"</s>\"",
    "keyboard": lambda d: f"  if (event.key === 'ArrowDown' || event.keyCode === {d.randint(10, 99)}) hotkey = 'ctrl+shift+{run(d, LOWER, 1)}';",
    "react key": lambda d: f"<Row key={{`${{{_thing(d)}.id}}-{_thing(d)}`}} token={{{_thing(d)}.token}} />",
    "subject": lambda d: f"fix(auth): refresh the {_thing(d)} token before it expires (#{d.randint(1, 9999)})",
    "subject key": lambda d: f"Make the secret key of {_thing(d)} configurable, bump PyJWT to 2.{d.randint(0, 9)}.0",
    "changelog": lambda d: f"* {_thing(d).title()}: password is now hashed with argon2 ({run(d, HEX, 7)}), closes #{d.randint(1, 9999)}",
    "prose": lambda d: f"The token is sent with every {_thing(d)} request; the password was never stored, see `{_snake(d)}.py`.",
    "question": lambda d: f"What if the password is {d.choice(['empty', 'too short', 'None', 'wrong', 'expired', 'null'])} in {_thing(d)}?",
    "log": lambda d: f"WARN {_thing(d)}: invalid token for user {d.randint(1, 9999)}, key not found in keyring",
    "traceback": lambda d: f'  File "/srv/{_thing(d)}/auth.py", line {d.randint(1, 999)}, in check_token\nKeyError: \'access_token\'',
    "address": lambda d: f"Segmentation fault at address 0x{run(d, HEX, 16)} in token_free",
    "doc link": lambda d: f".. _token-{_thing(d)}: https://tools.ietf.org/html/rfc{d.randint(1000, 9999)}#section-4.{d.randint(1, 9)}",
    "import": lambda d: f"import {{ {_thing(d).title()}Token, PasswordField as Field }} from '@corp/{_thing(d)}-auth/tokens';",
    "annotation": lambda d: f'@Value("${{{_thing(d)}.api-key}}") private String apiKey;',
    "stripe publishable": lambda d: f"STRIPE_PUBLISHABLE_KEY_NAME = 'pk_{_thing(d)}'",
    "dotted": lambda d: f"auth.{_thing(d)}.password.reset = {_thing(d)}.password.reset.title",
    "mime": lambda d: f"Accept: application/vnd.{_thing(d)}+json; token=application/x-www-form-urlencoded",
    "timestamps": lambda d: f"token_created: 2026-01-{d.randint(10, 28)}T09:00:{d.randint(10, 59)}Z",
    "isbn": lambda d: f"key: 978-3-16-{run(d, DIGITS, 6)}-0 phone: +49 30 {run(d, DIGITS, 7)}",
    "alphabet": lambda d: f'const KEY_CHARS = "{string.ascii_uppercase}{string.ascii_lowercase}{DIGITS}";',
    "base64 text": lambda d: f"{_thing(d)}_body = '{base64.b64encode(b'The quick brown fox jumps over it').decode()}'",
    "module hash": lambda d: f"  '{run(d, SMALL, 6)}': () => import('./{_thing(d)}-{run(d, SMALL, 8)}.js'),",
    "licence": lambda d: f"SPDX-FileCopyrightText: 2024 {_thing(d).title()} Key Authors; License-Key: Apache-2.0",
    "machine": lambda d: f"host {_thing(d)}-{run(d, SMALL, 10)}-{run(d, SMALL, 5)} port {d.randint(1024, 65535)} keyspace {run(d, UPPER, 3)}{run(d, BIG, 5)}",
}  # fmt: skip


def innocent(draw: Draw, count: int) -> Iterator[tuple[str, str]]:
    """So many lines, over all kinds in turn: the kind and the line."""
    kinds = list(INNOCENT.items())
    for at in range(count):
        kind, make = kinds[at % len(kinds)]
        yield kind, make(draw)
