"""Which files are not opened, and why, in words for people.

Three questions, asked in this order: does the name tell of secrets (such a file is never opened, even
if it is tracked), is it somebody else's or a program's work, and - once its bytes are here - is it
text a person wrote? A new sort of file is a line in one of the tables below. Lock files are ordinary
text here: they hold facts, though no code.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from companion.records.memory import TEAM_FOLDER

BINARY_PROBE_BYTES = 8_000
"""Git looks for a NUL byte in as many; so far in, every binary format has shown itself."""
MARK_PROBE_BYTES = 2_000
"""Generators leave their mark in the head of a file, below a licence at most."""
LONG_LINES_BYTES = 1_000
"""An average line of this many bytes was written by a minifier; people stay below 120."""

_COMPILED = "go|rs|java|kt|scala|swift|c|h|cc|cpp|hpp|cs|ts|tsx|md|rst"
"""Sources of compiled languages and documents named `secrets` speak of secrets, they do not hold them."""

_SECRET_NAMES = tuple(
    (re.compile(pattern, re.IGNORECASE), reason)
    for pattern, reason in (
        (r"\.env|\.env[.\-_].*|.*\.env|\.envrc", "environment file, may hold secrets"),
        (
            r".*\.(pem|key|ppk|pk8|p8|p12|pfx|jks|jceks|bks|keystore|keytab|kdbx?|asc|gpg|pgp|agekey)",
            "key file",
        ),
        (r"(id|ssh)_(rsa|dsa|ecdsa|ed25519)(_sk)?([._-](?!pub$).*)?", "private key"),
        (r"ssh_host_.*_key|identity|authorized_keys|known_hosts", "access to other machines"),
        (
            r"\.npmrc|\.yarnrc\.yml|\.pypirc|\.gemrc|\.cargo-credentials|nuget\.config",
            "may hold a registry token",
        ),
        (r"[._]netrc|\.git-credentials|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.htpasswd", "holds passwords"),
        (
            r"\.dockercfg|\.dockerconfigjson|\.boto|\.s3cfg|\.vault[-_]token|kubeconfig(\..*)?",
            "holds a token",
        ),
        (r"\.?credentials?|credentials?\.(?!(" + _COMPILED + r")$).*", "credentials"),
        (r"(client[-_]?secrets?|service[-_]?account|gcp[-_]key|firebase-adminsdk).*\.json", "credentials"),
        (
            r"\.?secrets?|secrets?\.(?!(" + _COMPILED + r")$).*|.*[._-]secrets?\.(ya?ml|json|toml|ini|env)",
            "secrets",
        ),
        (r".*\.tfvars(\.json)?|.*\.tfstate(\..*)?|\.terraformrc|local\.settings\.json", "may hold secrets"),
        (r"\.?vault[-_]?pass(word)?(\..*)?|master\.key|.*\.ovpn", "holds a password"),
        (
            r"\.(bash|zsh|sh|python|psql|mysql|sqlite|node_repl|irb)_?history",
            "history of commands, may hold secrets",
        ),
    )
)
_CLASS_FILE = re.compile(r"[A-Z]\w*\.(php|py|rb|jsx?|vue|svelte|dart|ex|pm|groovy)")
"""`Secret.php` is a class by that name."""

_SECRET_FOLDERS = {
    ".ssh": "keys of a user",
    ".gnupg": "keys of a user",
    ".aws": "credentials of a cloud",
    ".azure": "credentials of a cloud",
    ".kube": "credentials of a cluster",
    ".docker": "may hold a registry token",
}

_FOREIGN_FOLDERS = {
    name: reason
    for reason, names in {
        "vendored packages": "node_modules bower_components jspm_packages site-packages "
        "pods carthage .yarn .bundle .eggs",
        "vendored code": "third_party third-party thirdparty _vendor",
        "virtual environment": ".venv venv .tox .nox",
        "git's own folder": ".git",
        "another version control's folder": ".hg .svn",
        "downloaded modules": ".terraform",
        "build cache": ".gradle __pycache__ .mypy_cache .pytest_cache .ruff_cache",
        "build output": ".next .nuxt dist",
    }.items()
    for name in names.split()
}
"""Compared in lower case, at any depth."""

VENDOR_NEIGHBOURS = ("go.mod", "composer.json", "gemfile", "package.json", "cargo.toml", "gopkg.toml")
"""`vendor` means other people's code beside one of these, or at the top; elsewhere it may be a shop's."""

_GENERATED_NAMES = (
    (re.compile(r".*[.-]min\.(js|css|mjs)$", re.IGNORECASE), "minified"),
    (re.compile(r".*\.(js|css|mjs|cjs|ts)\.map$", re.IGNORECASE), "source map"),
    (
        re.compile(r".*(_pb2(_grpc)?\.pyi?|\.pb\.(go|cc|h|gw\.go)|_grpc\.pb\.go|_pb\.(js|d\.ts|rb))$"),
        "generated",
    ),
    (
        re.compile(r".*\.(g|freezed|gr|mocks)\.dart$|.*\.designer\.(cs|vb)$|.*\.g\.(cs|i\.cs)$", re.IGNORECASE),
        "generated",
    ),
    (re.compile(r".*\.(generated|gen)\.\w+$|zz_generated\..*", re.IGNORECASE), "generated"),
    (re.compile(r".*\.snap$"), "snapshot of a test"),
)
_BINARY_NAME = re.compile(
    r".*\.(png|jpe?g|gif|bmp|ico|icns|webp|avif|tiff?|psd|heic|mp[34]|m4[av]|mov|avi|mkv|webm|wav|flac|ogg"
    r"|ttf|otf|woff2?|eot|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|ear|whl|egg|gem|nupkg|deb|rpm|dmg|iso"
    r"|exe|dll|so|dylib|a|o|obj|lib|class|pyc|pyo|wasm|bin|dat|db|sqlite3?|duckdb|parquet|npy|npz|pkl"
    r"|onnx|pt|pth|safetensors|pdf|docx?|xlsx?|pptx?|odt|ods|mo|phar)$",
    re.IGNORECASE,
)
_LOCK_NAME = re.compile(
    r"(.*\.lock|.*\.lockb|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.ya?ml|go\.sum|gopkg\.lock"
    r"|packages\.lock\.json|package\.resolved|podfile\.lock|mix\.lock|gradle\.lockfile)$",
    re.IGNORECASE,
)
_MARK = re.compile(
    rb"^[^\w\n'\"]{0,12}(?:Code generated .{0,200}DO NOT EDIT|@generated\b|"
    rb"(?:This (?:file|code) (?:is|was|has been) )?(?:auto-?generated|automatically generated|generated by\b)"
    rb".{0,200}(?:do not (?:edit|modify)|changes will be (?:lost|overwritten)))",
    re.IGNORECASE | re.MULTILINE,
)
_LFS = b"version https://git-lfs.github.com/spec/"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def is_lock_file(path: str) -> bool:
    """Whether a package manager keeps its exact versions in the file."""
    return bool(_LOCK_NAME.match(_name(path)))


def secret_reason(path: str) -> str:
    """Why the file must not be opened for what it may hold; '' if it may."""
    *folders, name = path.split("/")
    for folder in folders:
        if reason := _SECRET_FOLDERS.get(folder.lower()):
            return reason
    if _CLASS_FILE.fullmatch(name):
        return ""
    for pattern, reason in _SECRET_NAMES:
        if pattern.fullmatch(name):
            return reason
    return ""


def foreign_folder_reason(name: str) -> str:
    """Why nobody of the project writes in a folder of that name, at any depth; '' if it does not tell."""
    return _FOREIGN_FOLDERS.get(name.lower(), "")


def foreign_reason(path: str, paths: Collection[str]) -> str:
    """Why nobody of the project wrote the file by hand, as its path tells; '' if it does not.

    `paths` holds all paths of the tree in lower case.
    """
    if path.startswith(f"{TEAM_FOLDER}/"):
        return "shared memories, read by `companion team import`"
    folders = path.lower().split("/")[:-1]
    for depth, folder in enumerate(folders):
        if reason := _FOREIGN_FOLDERS.get(folder):
            return reason
        if folder == "vendor" and _holds_packages("/".join(folders[:depth]), paths):
            return "vendored packages"
    name = _name(path)
    for pattern, reason in _GENERATED_NAMES:
        if pattern.match(name):
            return reason
    return "binary file" if _BINARY_NAME.match(name) else ""


def content_reason(content: bytes, path: str) -> str:
    """Why the bytes are not text that a person wrote; '' if they are."""
    if content.startswith(_UTF16_MARKS):
        return ""
    if b"\0" in content[:BINARY_PROBE_BYTES] or b"\0" in content:
        return "binary file"
    if content.startswith(_LFS):
        return "kept in Git LFS"
    if is_lock_file(path):
        return ""
    if _MARK.search(content[:MARK_PROBE_BYTES]):
        return "generated"
    if len(content) > 10 * LONG_LINES_BYTES and len(content) // (content.count(b"\n") + 1) > LONG_LINES_BYTES:
        return "minified or data on long lines"
    return ""


def _holds_packages(folder: str, paths: Collection[str]) -> bool:
    if not folder:
        return True
    return any(f"{folder}/{name}" in paths for name in VENDOR_NEIGHBOURS)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
