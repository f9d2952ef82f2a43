"""A small project that tests of the engine look at: files, decisions, errors, people."""

from __future__ import annotations

from companion.ports import FileOwner, Topic
from companion.records import DecisionStatus, ErrorReport, FactType, Frame, Importance, Link, LinkKind, Signals
from engine.fake_library import FakeLibrary
from engine.makers import chunks_of, code, contradiction, decision, episode, fact, failure, pattern, workflow

LOGIN = "src/auth/login.py"
SESSION = "src/auth/session.py"
TOKENS = "src/auth/tokens.py"
VIEWS = "src/web/views.py"
TEST = "tests/test_login.py"
PATHS = (LOGIN, SESSION, TOKENS, VIEWS, TEST, "src/web/forms.py", "src/billing/invoice.py", "docs/conf.py")

ERROR = ErrorReport(
    tool="python",
    error_type="TypeError",
    message="'NoneType' object is not subscriptable",
    fingerprint="e1-same",
    frames=(Frame(VIEWS, 9, "views_2", inside=True), Frame(SESSION, 5, "session_1", inside=True)),
    symbols=("session_1",),
)
AT_LOGIN = Signals(current_file=LOGIN)


def project() -> FakeLibrary:
    """What is known of a web shop's sign-in."""
    declared = fact("python version", "3.9 or later", path="README.md", line=8, names=[LOGIN])
    required = fact("python version", "3.11 or later", path="pyproject.toml", line=5, names=[LOGIN])
    memories = [
        decision("How do we keep sessions?", "server-side sessions", names=[LOGIN], path="docs/adr/004.md"),
        decision("Where do passwords go?", "argon2 hashes", scope="src/auth", path="docs/adr/002.md", line=3),
        decision("Which web framework?", "flask", names=[VIEWS], path="docs/adr/001.md", line=7),
        decision("Sign in by mail link?", "not yet clear", names=[LOGIN], status=DecisionStatus.PROPOSED),
        decision("Tokens or sessions?", "tokens", names=[LOGIN], status=DecisionStatus.SUPERSEDED, path="docs/adr/003.md"),
        episode("Fix login loop when the cookie is gone", names=[LOGIN, SESSION], days_ago=20),
        episode("Revert lazy sessions", names=[LOGIN], change="revert", days_ago=90, people=["Bob"]),
        episode("Add sign-in with a second factor", names=[LOGIN, VIEWS], change="feature", days_ago=200),
        episode("Change invoice layout", names=["src/billing/invoice.py"], change="feature"),
        failure("None in session cookie", fingerprint="e1-same", fix="a check for a missing cookie", names=[SESSION], hours_ago=900),
        failure("Timeout of the mail server", fingerprint="e1-mail", fix="a retry", names=[VIEWS], hours_ago=3),
        failure("Disk full", fingerprint="e1-disk", names=["src/billing/invoice.py"], hours_ago=1),
        fact("login", "breaks when two tabs sign in at once", path=LOGIN, line=30, type_=FactType.FRICTION, names=[LOGIN]),
        fact("login form", "is built by forms.py", path=LOGIN, line=4, names=[LOGIN]),
        fact("quotes", "double quotes everywhere", path="CONTRIBUTING.md", line=9, type_=FactType.PREFERENCE),
        fact("review", "Ann wants small pull requests", type_=FactType.PREFERENCE, people=["Ann"]),
        fact("release", "never on a Friday", pinned=True, importance=Importance.CRITICAL, path="RELEASING.md"),
        pattern("endpoint", "route → check → answer", examples=[VIEWS], exceptions=[LOGIN]),
        pattern("logging", "logger per module", examples=["src/billing/invoice.py"]),
        workflow("test", ("ruff", "mypy", "pytest")),
        workflow("deploy", ("test", "build", "stage", "prod")),
        declared,
        required,
    ]  # fmt: skip
    codes = {path: code(path, 3 + 2 * at) for at, path in enumerate(PATHS)}
    links = (
        Link(LOGIN, SESSION, LinkKind.CALL, 4.0, ("session_1",)),
        Link(LOGIN, TOKENS, LinkKind.IMPORT, 1.0, ("tokens_0",)),
        Link(VIEWS, LOGIN, LinkKind.CALL, 2.0, ("login_0",)),
        Link(TEST, LOGIN, LinkKind.TEST, 5.0, ("login_0",)),
    )
    commits = [
        *[(f"{n:040x}", (LOGIN, SESSION, TEST)) for n in range(6)],
        *[(f"{n:040x}", (LOGIN, VIEWS)) for n in range(6, 9)],
        ("f" * 40, ("src/billing/invoice.py",)),
    ]
    return FakeLibrary(
        memories=memories,
        codes=codes,
        links_=links,
        commits=commits,
        contradictions=[contradiction(declared, required, "README and pyproject name different versions.")],
        owners_={LOGIN: (FileOwner("Ann", "ann@example.org", 12), FileOwner("Bob", "bob@example.org", 4))},
        topics_=[Topic("auth", 9), Topic("billing", 2)],
        passages_=[one for forms in codes.values() for one in chunks_of(forms)],
    )
