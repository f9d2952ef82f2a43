"""The words that tell a secret from what is none: in names, and in values that people make up."""

from __future__ import annotations

from companion.syntax.words import words

PASSWORDS = words(
    "password passwd passwort passphrase passcode pwd pass pword passwrd passw pw kennwort senha contrasena psk bindpw rootpw dbpw userpw adminpw"
)
MANY = words("password passwd pwd pass passphrase token secret key apikey psk")
"""Words of which a list may be given."""
PASSWORD_ENDS = ("password", "passwd", "passwort", "passphrase", "passcode", "pwd", "pass")
NO_PASSWORDS = words(
    "bypass compass trespass encompass surpass underpass overpass multipass singlepass onepass firstpass lastpass nopass"
)
"""Words that end like a password."""

TOKENS = words("token secret apikey credential credentials cred creds bearer jwt salt pepper sas auth seed")
TOKEN_ENDS = ("token", "secret", "apikey", "secretkey", "accesskey", "privatekey", "authkey", "masterkey", "signingkey")
NO_TOKENS = words(
    "csrf xsrf next prev previous page pagination cursor continuation sync start end eos bos pad unk mask cls sep public "
    "authenticity antiforgery forgery verification syntax lexer parser keyword comment current last first special reserved unexpected expected cancellation no invalid"
)
"""Tokens that open nothing: a parser reads them, a page is found by them."""

NO_SEEDS = words("random rng np torch db database hash test")
"""Seeds of chance and of tables."""

NO_KEYS = words(
    "public pub publishable primary foreign sort partition cache dict map hot short press idempotency i18n translation lang "
    "csrf xsrf next prev previous page pagination cursor continuation sync start end eos bos pad unk mask cls sep unique index "
    "row col column table object item list group route state local query search meta tag label message json yaml "
    "option param arg attribute property field form input event arrow enter escape tab ctrl shift alt function any "
    "first last left right up down home each parent child other same lookup hash sequence natural "
    "schema bucket registry display host etag socket trace context request response header lock feature flag type "
    "sub super candidate surrogate composite numeric string int integer byte color theme style class sitemap site captcha "
    "modifier accelerator shortcut keyboard piano car door answer exclude include ignore missing invalid duplicate array"
)
"""Keys that open nothing: they find a row, name a text, or are pressed."""

QUALIFIERS = words(
    "value values string str text raw plain plaintext clear prod production staging stage dev live main default base base64 b b64 enc encoded "
    "hex data old new current primary secondary backup env var const literal local global internal v val test ci"
)
"""Words after the telling one that leave it telling: `token_value`, `API_KEY_PROD`."""

ABOUT = words(
    "id ids uuid name names path paths file files filename dir directory folder url uri link endpoint type types kind field fields "
    "header headers length len size count limit max min expiry expires expiration expire ttl timeout age prefix suffix regex re "
    "pattern label title message msg error errors hint help placeholder required enabled disabled policy strength reset generator "
    "tokenizer tokeniser index column table alg algo algorithm format encoding method scheme provider "
    "backend class callback func function version hash hashes hashed digest public pub fingerprint selector store manager service "
    "handler middleware helper factory builder validator rule rules schema model view page form input button icon usage status "
    "state scope scopes issuer audience source ref reference arn alias role user username mode rotation rotator days bytes bits "
    "list map set dict array param params option options config settings changed updated created at on by in to from for"
)
"""A name that ends so speaks about a secret: `password_field`, `token_url`, `secretName`."""

FIXTURES = words(
    "a an the my our any some new old default invalid valid wrong bad good right correct incorrect expired missing long short "
    "test tests testing tester demo dev develop development local localhost mock mocked stub fixture foo bar baz qux spam eggs "
    "hello world todo secret secrets password passwords passwd pwd pass passphrase passwort word token tokens key keys api auth "
    "oauth access refresh client server user username users admin administrator root guest super very top postgres mysql maria "
    "mariadb redis rabbitmq minio mongo docker vagrant nobody anonymous id name value string data credential credentials login "
    "logout first second third another other one two three abc abcd abcdef asdf xyz here is this that not so "
    "secure safe strong weak easy simple basic plain pa ss wd please enter current confirm confirmation "
    "repeat reset forgot forgotten hash hashed hidden show toggle field input form label error validator validation required "
    "confirmed min max sign signin signup signed webhook session sessions cookie csrf bearer jwt account accounts system app "
    "application service site web http https www com org net io sha md hmac rsa aes des utf ascii hex base b64 url pbkdf bcrypt "
    "scrypt argon argon2id ssl tls ssh gpg pgp pem x509 plaintext encrypted encryption crypt master welcome "
    "temp temporary tmp sample type mode version v rest prod production staging stage"
)
"""Words that tests, forms and documents are full of: values made of these alone are nobody's secret."""

GRAMMAR = words(
    "and are but can did does for from had has have her him his how its may must not off our out per she should than that their "
    "them then there they this was were what when where which who will with you your der die das und ist ein eine den les des une "
    "est que los las por con para del"
)
"""Words that sentences have and passphrases do not."""
