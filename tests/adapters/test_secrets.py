"""Secrets are found by shape, place or name, and harmless look-alikes are left alone."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.innocent import INNOCENT, innocent
from adapters.issued import BLOCKS, HASHED, ISSUED
from adapters.placed import CARRIERS, PASSWORDS, SENT, TOKENS, assigned, sent, shaped
from adapters.planted import NAMED, SHAPED, look_alikes, planted
from companion.adapters.secrets import SecretRedactor, find_secrets
from companion.adapters.secrets.redact import REMEMBERED_CHARACTERS

EACH = 10
WINDOW = 12
"""Characters in a row of a secret that must not be left: half of a short one, enough to search for."""
REDACTOR = SecretRedactor()


def test_at_least_99_in_100_planted_secrets_of_over_30_kinds_are_redacted():
    cases = list(planted(random.Random(7), EACH))
    assert len({kind for kind, _, _ in cases}) >= 30
    assert len(cases) >= 200
    missed = [(kind, text) for kind, text, secret in cases if leaks(REDACTOR.redact(text), secret)]
    assert len(missed) <= len(cases) // 100, missed


def test_at_least_99_in_100_secrets_of_other_issuers_and_places_are_redacted():
    draw = random.Random(101)
    cases = [*shaped(draw, 2), *sent(draw, 4)]
    assert len(cases) >= 400
    assert len({*ISSUED, *HASHED, *BLOCKS, *SENT} - {*SHAPED}) >= 100
    missed = [(kind, text) for kind, text, secret in cases if survives(REDACTOR.redact(text), secret)]
    assert len(missed) <= len(cases) // 100, missed


def test_at_least_99_in_100_values_are_redacted_under_a_telling_name_in_every_language():
    cases = list(assigned(random.Random(102), 1))
    assert len(cases) >= len(CARRIERS) * (len(PASSWORDS) + len(TOKENS) - 1)
    missed = [(kind, text) for kind, text, secret in cases if survives(REDACTOR.redact(text), secret)]
    assert len(missed) <= len(cases) // 100, missed


def test_at_most_one_in_100_of_2000_look_alikes_is_touched():
    lines = list(look_alikes(random.Random(11), 2_000))
    touched = [line for line in lines if find_secrets(line)]
    assert len(touched) <= 20, touched


def test_at_most_one_in_100_look_alikes_of_other_sources_is_touched():
    lines = list(innocent(random.Random(103), 3_000))
    assert len({kind for kind, _ in lines}) == len(INNOCENT) >= 100
    touched = [line for line in lines if find_secrets(line[1])]
    assert len(touched) <= 30, touched


def test_every_shaped_kind_is_found_wherever_it_stands():
    draw = random.Random(3)
    for kind, make in {**SHAPED, **ISSUED, **HASHED}.items():
        secret = make(draw)
        for text in (
            secret,
            f"({secret})",
            f"key={secret}&x=1",
            f"{secret}\nnext line",
            f"«{secret}»",
            f"a\\n{secret}",
        ):
            assert not leaks(REDACTOR.redact(text), secret), (kind, text)


@pytest.mark.parametrize(
    "secret",
    [
        "xoxb-123456789012-123456789012-abcdefghijklmnopqrstuvwx",
        "ghp_1234567890abcdefghijABCDEFGHIJ123456",
        "AKIA1234567890ABCDEF",
    ],
)
def test_a_token_of_full_length_behind_its_issuers_letters_goes_even_where_it_counts_up(secret: str):
    assert not leaks(REDACTOR.redact(f"token: {secret}"), secret)


@pytest.mark.parametrize(
    "value", ["hunter2", "hunter22secret", "s3cret", "s3cr3tP@ss", "p4ssw0rd", "letmein123", "P4$$word"]
)
def test_a_word_with_figures_in_it_is_a_password_that_people_use(value: str):
    assert value not in REDACTOR.redact(f'password = "{value}"')
    assert value not in REDACTOR.redact(f"export DB_PASSWORD={value}")
    assert value not in REDACTOR.redact(f"postgres://shop:{value}@db.internal:5432/orders")


@pytest.mark.parametrize("value", ["Winter2026!", "Hamburg2025?", "Sunny2023!!", "Winter2026*", "Winter2026&"])
def test_a_word_with_a_year_and_a_mark_is_a_password_and_no_code(value: str):
    for text in (f"DB_PASSWORD={value}", f"the password is {value} for all", f"pw: {value}"):
        assert value not in REDACTOR.redact(text)
    for code in ("password = token2?.value", "password = vault.item2!", "password: load2!(name)"):
        assert REDACTOR.redact(code) == code


@pytest.mark.parametrize("value", ["AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"])
def test_a_key_that_calls_itself_an_example_goes_where_the_rest_of_it_is_chance(value: str):
    assert value not in REDACTOR.redact(f"aws_secret_access_key = {value}")


def test_a_secret_is_replaced_and_the_words_around_it_stay():
    secret = NAMED["password"](random.Random(5))
    assert (
        REDACTOR.redact(f'password = "{secret}"  # rotate in May')
        == 'password = "[redacted password]"  # rotate in May'
    )


def test_what_follows_a_key_over_many_lines_stays_on_its_line():
    block = BLOCKS["rsa key"](random.Random(6))
    text = f"one\n{block}\nlast"
    left = REDACTOR.redact(text)
    assert left.count("\n") == text.count("\n")
    assert left.splitlines()[-1] == "last"
    assert left.startswith("one\n[redacted private key]\n")


def test_a_key_cut_off_before_its_end_goes_and_the_code_after_it_stays():
    block = BLOCKS["rsa key"](random.Random(6)).rpartition("\n")[0]
    left = REDACTOR.redact(f"{block}\n\ndef sign(text):\n    return text\n")
    assert left.endswith("def sign(text):\n    return text\n")
    assert not survives(left, block)


def test_programs_that_only_name_a_key_are_left_alone():
    code = 'HEAD = "-----BEGIN PRIVATE KEY-----"\nFOOT = "-----END PRIVATE KEY-----"\n\ndef is_key(text):\n    return HEAD in text\n'
    assert REDACTOR.redact(code) == code


def test_a_value_in_several_quoted_parts_goes_whole():
    secret = TOKENS["urlsafe token"](random.Random(8)) + TOKENS["hex token"](random.Random(9))
    first, second = secret[:20], secret[20:]
    for text in (f'api_key = "{first}" + "{second}"', f'API_KEY = (\n    "{first}"\n    "{second}"\n)'):
        left = REDACTOR.redact(text)
        assert first not in left, left
        assert second not in left, left


def test_many_secrets_in_one_text_all_go():
    draw = random.Random(9)
    cases = [*planted(draw, 1), *shaped(draw, 1), *sent(draw, 1)]
    whole = "\n".join(text for _, text, _ in cases)
    left = REDACTOR.redact(whole)
    assert sum(leaks(left, secret) for _, _, secret in cases) <= len(cases) // 100


@given(st.text(max_size=2_000))
def test_redacting_twice_changes_nothing_more(text: str):
    once = REDACTOR.redact(text)
    assert REDACTOR.redact(once) == once


@given(st.text(alphabet=string.ascii_letters + string.digits + "=:'\"-_./+@ \n", max_size=3_000))
def test_hostile_text_is_scanned_without_running_away(text: str):
    REDACTOR.redact("password=" * 50 + text)


@pytest.mark.parametrize(
    "part",
    [
        "password=", "token:", 'key: "', "-----BEGIN PRIVATE KEY-----", "PuTTY-User-Key-File-2:", "eyJaaaaaaaaa.", "xoxb-", "-eyJ",
        "://a:", "docker -p ", "echo a | ", "cookie: a=b; ", 'name: "password" ', "password a ", "<password a", "$6$a", "-us1", "İ",
    ],
)  # fmt: skip
def test_the_same_again_and_again_takes_time_by_its_length_alone(part: str):
    REDACTOR.redact(part * (50_000 // len(part)))


def leaks(text: str, secret: str) -> bool:
    """Whether the secret, or any line of it that could be used, is still there."""
    if "AccountKey=" in secret:
        secret = secret.partition("AccountKey=")[2].partition(";")[0]
    if "hooks.slack.com" in secret:
        secret = secret.rpartition("/")[2]
    return any(line in text for line in secret.splitlines() if len(line) > 5 and "PRIVATE KEY" not in line)


def survives(text: str, secret: str) -> bool:
    """Whether even a part of the secret is still there: any run of its characters, but for a key's headers."""
    for line in secret.replace("\\n", "\n").splitlines():
        part = line.strip()
        if "-----" in part or (": " in part and len(part) < 60) or len(part) < 6:
            continue
        size = min(len(part), WINDOW)
        runs = (part[at : at + size] for at in range(len(part) - size + 1))
        if any(run in text for run in runs if len(set(run)) >= min(5, size)):
            return True
    return False


def test_a_short_text_is_looked_at_once_and_a_long_one_each_time():
    redactor = SecretRedactor()
    short = "password = 'copperLantern48'"
    long = short + " " * REMEMBERED_CHARACTERS
    assert redactor.redact(short) == "password = '[redacted password]'"
    assert redactor.redact(short) is redactor.redact(short)
    assert redactor.redact(long) == redactor.redact(long)
    assert redactor.redact(long) is not redactor.redact(long)
