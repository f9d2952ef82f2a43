"""What the rules promise of each sort of pair; the pairs are written for this test."""

from __future__ import annotations

from datetime import datetime

import pytest

from companion.app.consolidation.judges import local
from companion.judge.rules import RulesJudge
from companion.ports import Judge
from companion.records import Scope, Statement

JUDGE = RulesJudge()


def _said(text: str, subject: str = "", **scope: str) -> Statement:
    return Statement(text, Scope(**scope), subject)


CONTRADICT = {
    "negation": ("The gateway caches responses.", "The gateway does not cache responses."),
    "nobody does": ("Nobody may edit the ledger.", "Accountants edit the ledger every evening."),
    "a number of one thing": ("The lock expires after 20 seconds.", "The lock expires after 5 minutes."),
    "a number in another unit": ("We keep traces for 30 days.", "Traces are purged after one week."),
    "a bound and a value outside it": ("Titles are at most 60 characters long.", "Titles are 90 characters long."),
    "a version": ("The service runs on Java 21.", "The service still runs on Java 11."),
    "disjoint ranges of versions": ("Pin numpy to 1.26.x.", "numpy must be at least 2.1."),
    "two minimums": ("The minimum Go version is 1.25.", "Go 1.26.0 or newer is required."),
    "a minimum in other words": ("We support Python from 3.8 on.", "Python 3.10 or newer is required."),
    "a minimum that must be": ("Ruby must be 3.1 or later.", "The oldest Ruby is 3.3."),
    "two choices for one purpose": ("We use PostgreSQL for the cache.", "Redis for the cache"),
    "a choice said the other way": ("For uploads we use S3.", "MinIO is used for uploads."),
    "a build tool by its command": ("Build with `./gradlew build`.", "Build with `mvn package`."),
    "a build tool never used": ("Never build with Maven.", "Build with `./mvnw verify`."),
    "two values of one slot": ("Tickets are tracked in Jira.", "Tickets are tracked in Linear."),
    "forbidden and used": ("Wildcard imports are forbidden.", "Use wildcard imports in models."),
    "two signs of one meaning": ("Exports are encrypted.", "Exports are stored in clear text."),
    "removed and in use": ("The SOAP endpoint was removed.", "Partners still call the SOAP endpoint."),
    "by hand and by itself": ("Certificates are renewed automatically.", "An operator renews the certificates."),
    "somebody else does it": ("Thumbnails are rendered by the worker.", "The browser renders thumbnails."),
    "done somewhere else": ("Sorting happens in the database.", "Sorting is done in the controller."),
    "another holder of one role": ("Mia is the tech lead.", "Tom is the tech lead."),
    "another default": ("The default queue is bulk.", "The queue defaults to express."),
    "the other way round": ("Run the linter before the tests.", "The linter runs after the tests."),
    "one alone and another": ("Only the mailer writes to outbox.log.", "The importer writes to outbox.log."),
    "a fault mended and there": ("The deadlock in the pool has been fixed.", "The pool still runs into a deadlock."),
    "left open and bound": ("Branch names must start with a topic.", "Branch names may start with whatever you like."),
    "another port": ("The cart service listens on port 7004.", "The cart service listens on port 7011."),
    "another time of day": ("The backup starts at 02:00.", "The backup starts at 5 am."),
    "more than what may be": ("A name can't be longer than 40 letters.", "A name has 60 letters."),
    "will in the sense of does": ("Nothing older than Java 17 will run it.", "It runs on Java 11."),
    "committed and ignored": ("Lock files are committed.", "Lock files are listed in .gitignore."),
}

GET_ON = {
    "the same in another unit": ("The lock expires after 90 seconds.", "Lock expiry: 90_000 ms"),
    "half and fifty percent": ("Half of the jobs run on spot machines.", "50 % of jobs run on spot machines."),
    "two weeks and 14 days": ("Drafts are kept for two weeks.", "Drafts are deleted after 14 days."),
    "a bound said the other way": (
        "Coverage must not fall below 70 %.",
        "We require a coverage of at least 70 percent.",
    ),
    "avoid this, use that": ("Avoid `eval`; use `literal_eval`.", "Use `literal_eval`."),
    "two that may hold at once": ("The importer accepts CSV.", "The importer accepts XML."),
    "the minimum of a part": ("The minimum Java version of the watch app is 8.", "Java 17 or newer is required."),
    "another thing's minimum": ("The minimum TLS version is 1.2.", "Go 1.26.0 or newer is required."),
    "a version that will do": ("The image has Node 22.", "Node 20 or newer is required."),
    "choices for two purposes": ("We use PostgreSQL for accounts.", "Redis for the cache"),
    "one choice for two purposes": ("Redis for the cache", "We use Redis for the queue."),
    "a choice that was only tried": ("We tried Redis for the cache.", "We use PostgreSQL for the cache."),
    "a tool and its command": ("Build with Maven.", "Build with `mvn package`."),
    "two commands of one tool": ("Build with `./gradlew build`.", "Run the tests with `./gradlew test`."),
    "something else": ("The site is built with Hugo.", "Images are resized to 800 pixels."),
    "a plan": ("The shop runs on Rails.", "We plan to move the shop to Phoenix next year."),
    "public and private": ("Public functions must be documented.", "Private functions need not be documented."),
    "said twice with a not": ("Do not log passwords.", "Logging passwords is forbidden."),
    "a number within a version": ("The worker runs on Python 3.12.", "The worker runs on Python 3.12.4."),
    "ports of two services": ("cart listens on port 7004", "orders listens on port 7011"),
    "numbers of two owners": ("The timeout of cart is 5 s.", "The timeout of mailer is 9 s."),
    "two editions": ("The v1 client was removed.", "The v2 client is supported."),
    "a time of day in another zone": ("The call is at 15:00 CEST.", "The call is at 13:00 UTC."),
    "a time of day in other words": ("The backup starts at 14:00.", "The backup starts at 2 pm."),
    "two editions written out": ("Version 3 of the client retries.", "The old v2 client does not retry."),
    "what is exempt and what need not": (
        "Classes are documented; test classes are exempt.",
        "Test classes need no docs.",
    ),
    "two things of a name": ("The `raw` folder is read-only.", "The `work` folder is writable."),
    "what is wished for and what is enforced": (
        "Subjects should be under 50 letters.",
        "A subject has at most 72 letters.",
    ),
    "not done there, and where there is": ("Never import the app in the tests.", "Tests lie in tests/."),
    "a default below the bound": ("By default 20 rows are sent.", "No more than 500 rows can be sent."),
    "one place and two things": ("Ruby 2.7 is no longer supported on main.", "The site is published from main."),
    "readers and writers": ("Readers take no lock.", "Writers take a lock."),
    "one day and its seconds": ("A token lives for exactly one day.", "token_seconds = 86400"),
    "another object": ("Never log passwords.", "Log every failed payment."),
    "two codes": ("Exit code 2 means bad usage.", "Exit code 3 means no network."),
    "a value under a bound": ("The call takes under a minute.", "The call takes 20 s."),
    "another quantity": ("The pool holds 12 connections.", "A pooled connection is closed after 10 minutes."),
}


@pytest.mark.parametrize("kind", CONTRADICT)
def test_what_cannot_both_hold_is_found(kind: str) -> None:
    a, b = CONTRADICT[kind]
    ruling = JUDGE.rule(_said(a), _said(b))
    assert ruling.contradict, ruling.reason


@pytest.mark.parametrize("kind", GET_ON)
def test_what_gets_on_is_let_be(kind: str) -> None:
    a, b = GET_ON[kind]
    ruling = JUDGE.rule(_said(a), _said(b))
    assert ruling.contradict is False, ruling.reason


def test_two_environments_never_contradict() -> None:
    on, off = "Debug mode is on.", "Debug mode is off."
    assert JUDGE.rule(_said(on, environment="dev"), _said(off, environment="prod")).contradict is False
    assert JUDGE.rule(_said(on, environment="prod"), _said(off, environment="prod")).contradict is True


def test_spellings_of_an_environment_are_one() -> None:
    ruling = JUDGE.rule(
        _said("Debug mode is on.", environment="prod"), _said("Debug mode is off.", environment="production")
    )
    assert ruling.contradict is True


def test_two_folders_get_on_and_a_folder_within_another_may_not() -> None:
    rule, breach = "Every function has a type annotation.", "No function has a type annotation."
    apart = JUDGE.rule(_said(rule, path="src/a"), _said(breach, path="src/b"))
    within = JUDGE.rule(_said(rule, path="src"), _said(breach, path="src/old"))
    assert apart.contradict is False
    assert within.contradict is True


def test_a_narrower_place_may_be_an_exception() -> None:
    ruling = JUDGE.rule(_said("Use absolute imports."), _said("Relative imports are accepted here.", path="src/plugin"))
    assert ruling.contradict is False


def test_what_was_over_before_the_other_began_gets_on() -> None:
    year = datetime(2024, 1, 1)
    before = Statement("The queue is Kafka.", valid_to=year)
    after = Statement("The queue is NATS.", valid_from=year)
    assert JUDGE.rule(before, after).contradict is False


def test_facts_of_one_slot_are_compared_by_value() -> None:
    def fact(value: str) -> Statement:
        return Statement(f"python: {value}", subject="python", attribute="requires", value=value)

    assert JUDGE.rule(fact(">=3.9"), fact(">=3.11")).contradict is True
    assert JUDGE.rule(fact(">=3.9"), fact("3.12")).contradict is False
    assert JUDGE.rule(fact("MIT"), fact("mit")).contradict is False
    assert JUDGE.rule(fact("MIT"), fact("GPL-3.0")).contradict is True


@pytest.mark.parametrize("judge", [RulesJudge(), local()], ids=["rules", "local"])
def test_a_reason_quotes_what_differs_and_the_name_has_a_version(judge: Judge) -> None:
    ruling = judge.rule(_said("Requests time out after 3 seconds."), _said("Requests time out after 30 seconds."))
    assert "3 seconds" in ruling.reason and "30 seconds" in ruling.reason
    assert ruling.judge == judge.name and any(letter.isdigit() for letter in judge.name)
    assert 0.5 <= ruling.confidence <= 1


WRITTEN = {
    "a stem": (
        "The payment client never retries failed calls.",
        "The payment client retries failed calls.",
        "one denies what the other says of “calls”, “failed”, “retries”: “The payment client never retries failed calls” "
        "against “The payment client retries failed calls”",
    ),
    "a word that another stands for": (
        "mail only",
        "pager at 04:00, no mail for anything before",
        "one denies what the other says of “mail”: “mail only” against “pager at 04:00, no mail for anything before”",
    ),
    "a value that is refused": (
        "The code holds back 5 % of the lane metres on each sailing.",
        "Bicycles use no lane metres; they have a counter of their own, 40 per sailing.",
        "one refuses “metres”, which the other mentions: “Bicycles use no lane metres” against "
        "“The code holds back 5 % of the lane metres on each sailing”",
    ),
    "a value in two spellings": (
        "Users are kept in MySQL.",
        "Users are kept in Postgres.",
        "two values where one can hold: “MySQL” and “Postgres”",
    ),
    "sides of a pair": (
        "staff only flag first, for one week, then everybody",
        "a feature flag is removed at the latest 2 releases after it is on for everybody",
        "the two say opposite things: “staff only flag first, for one week, then everybody” against "
        "“2 releases after it is on for everybody”",
    ),
    "a time read out of other words": (
        "Carts are never deleted.",
        "Carts are deleted after 90 days.",
        "two numbers for one thing: “Carts are never deleted” and “90 days”",
    ),
}


@pytest.mark.parametrize(("a", "b", "reason"), WRITTEN.values(), ids=WRITTEN)
def test_a_reason_says_what_differs_in_words_as_they_are_written(a: str, b: str, reason: str) -> None:
    assert JUDGE.rule(_said(a), _said(b)).reason in {reason, _turned(reason)}


def _turned(reason: str) -> str:
    """The same with the two sides the other way round."""
    what, colon, sides = reason.rpartition(": ")
    parted = " against " if " against " in sides else " and "
    return what + colon + parted.join(reversed(sides.split(parted)))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Orders must be signed.", "Invoices must not be signed."),
        ("src/api/ may import the ORM.", "src/domain/ may not import the ORM."),
        ("We deploy on Tuesdays.", "No deploys on Fridays."),
        ("Locks are taken while a migration runs.", "No locks are taken while a report runs."),
        ("Debug logging is on in development.", "Debug logging is off in production."),
    ],
)
def test_one_sentence_about_two_things_contradicts_nothing(a: str, b: str) -> None:
    assert RulesJudge().rule(Statement(a), Statement(b)).contradict is False


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Orders must be signed.", "Orders must not be signed."),
        ("Any order must be signed.", "Invoices must not be signed by any order."),
    ],
)
def test_one_sentence_about_one_thing_still_does(a: str, b: str) -> None:
    assert RulesJudge().rule(Statement(a), Statement(b)).contradict is not False


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("To do: get the rate fetch out of the request.", "The rates are not fetched in the request any more."),
        ("todo: write the restore runbook", "the restore runbook is not written by us"),
        ("Should we use Redis for the cache?", "We use PostgreSQL for the cache."),
    ],
)
def test_a_to_do_contradicts_nothing_and_may_be_asked_about(a: str, b: str) -> None:
    assert local().rule(Statement(a), Statement(b)).contradict is not True


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Webhooks can be delivered more than once.", "Webhooks are sometimes delivered twice."),
        ("No push without a green build.", "Push only with a green build."),
        ("Redis was decided against.", "We use no Redis."),
        ("A second offence is a permanent ban.", "The server waits 30 seconds, then it bans nobody."),
        ("A booking can have at most 2 vehicles.", "Maximum passengers of a booking: 9"),
    ],
)
def test_what_only_looks_like_another_number_or_a_denial_contradicts_nothing(a: str, b: str) -> None:
    assert RulesJudge().rule(Statement(a), Statement(b)).contradict is not True


def test_a_condition_denies_nothing_wherever_it_stands() -> None:
    judge = RulesJudge()
    fronted = _said("When there is no uplink, readings are buffered on the gateway, up to 72 h.")
    for other in (
        "The gateway buffers readings for 72 hours if the uplink is down.",
        "Retry the uplink 5 times, then buffer.",
        "The uplink is checked every minute.",
    ):
        assert judge.rule(fronted, _said(other)).contradict is False, other
    assert judge.rule(fronted, _said("When the uplink is down, readings are never buffered on the gateway.")).contradict
