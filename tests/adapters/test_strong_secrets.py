"""Strong secrets without quotes, and the real code that only looks like them: measured on kinds the rules never saw."""

from __future__ import annotations

import random
import string
import time
from pathlib import Path

import pytest

from adapters.strong import TUNED, UNSEEN, drawn, left_of, planted
from companion.adapters.secrets import SecretRedactor, find_secrets

REDACTOR = SecretRedactor()
DATA = Path(__file__).parent / "data"
MARKS = {"few marks": "!@#$%^&*", "brackets": "()[]{}", "all marks": string.punctuation}
PLACES = ("DB_PASSWORD={}", "password: {}", "The password is {} now", "passwd = {}\n", "export ADMIN_PASSWORD={}")


@pytest.mark.parametrize("kinds", [TUNED, UNSEEN], ids=["tuned", "unseen"])
def test_at_least_99_in_100_strong_secrets_go_whole(kinds: dict):
    cases = list(planted(kinds, random.Random(1_801 + len(kinds)), 5))
    assert len(cases) >= 400
    missed = [(kind, text) for kind, text, secret in cases if left_of(secret, REDACTOR.redact(text))]
    assert len(missed) <= len(cases) // 100, missed


def test_the_kinds_are_many_and_none_is_measured_twice():
    assert len({*TUNED, *UNSEEN}) == len(TUNED) + len(UNSEEN) >= 150


@pytest.mark.parametrize("marks", MARKS)
def test_at_least_99_in_100_random_passwords_without_quotes_are_found(marks: str):
    draw = random.Random(1_802)
    cases = [(place, drawn(draw, MARKS[marks])) for place in PLACES for _ in range(400)]
    missed = [place.format(one) for place, one in cases if left_of(one, REDACTOR.redact(place.format(one)))]
    assert len(missed) <= len(cases) // 100, missed


@pytest.mark.parametrize("name", ["look_alikes.txt", "look_alikes_unseen.txt"])
def test_at_most_one_in_100_lines_of_real_code_with_a_telling_name_is_touched(name: str):
    lines = [line for line in (DATA / name).read_text("utf-8").splitlines() if not line.startswith("# ")]
    assert len(lines) >= 1_000
    touched = [line for line in lines if find_secrets(line)]
    assert len(touched) <= len(lines) // 100, touched


@pytest.mark.parametrize(
    "code",
    [
        "newpass = sdsnewlen(argv[1]+1,sdslen(argv[1])-1);", '("a_new_key", "192.168.0.0/24,127.0.0.1,localhost.localdomain"),',
        "password = getpass()", "token_count = 12", "key_size = sizeof(key) - 1;", "password: this.form.get('password')!.value,",
        "token = self._headers[AUTH_TOKEN].split(' ', 1)[1]", "secret: Option<&'a str>,", "API_KEYS = [load(name) for name in names]",
        "passwords = [row.password for row in rows]", "tokens: list[Token] = tokenizer.encode(text)[:limit]",
        "Merge branch 'fix/password-reset-link' into main", "auth/token-refresh-worker-2.py", "The password is checked by validate() now.",
        "the passphrase is asked for when the key is loaded", "mysql -u root -p orders", "curl -u user:password https://corp.io",
    ],
)  # fmt: skip
def test_code_and_prose_that_only_speak_of_a_secret_are_left_alone(code: str):
    assert REDACTOR.redact(code) == code


@pytest.mark.parametrize(
    "part",
    ["password=[", "password: a(b", "tokens: [a,", "keys:\n- ", "password-aB3", "net use * /u ", "//hooks.", "//" + "hook" * 20, "password of a b ", "pw={$(", "secret: `"],
)  # fmt: skip
def test_hostile_text_takes_time_by_its_length_alone(part: str):
    def seconds(length: int) -> float:
        begun = time.process_time()
        REDACTOR.redact(part * (length // len(part)))
        return time.process_time() - begun

    seconds(1_000)
    short, long = min(seconds(50_000) for _ in range(2)), seconds(200_000)
    assert long < 12 * short + 0.2, (short, long)
