"""A language model that answers late, wrongly, at great length or not at all does no harm: real servers on loopback."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from endpoints import Endpoint, says, send, serving
from fakes import PlainRedactor

from companion.adapters.language_model import PROMPT_MAX_CHARS, REPLY_MAX_BYTES, EndpointModel, make_language_model
from companion.config import Settings, load_settings
from companion.errors import ModelSpent, ModelTalkedNonsense, ModelUnavailable, UsageError

SCHEMA = {"type": "object"}
KEY = "sk-not-a-real-key"


def model(endpoint: Endpoint, **given: Any) -> EndpointModel:
    settings = {"endpoint": endpoint.address, "name": "tiny", "redactor": PlainRedactor()}
    return EndpointModel(**settings | {"timeout_s": 5.0, "max_calls": 10} | given)


def ask(asked: EndpointModel, prompt: str = "Shorten this.", timeout_s: float = 5.0) -> str:
    return asked.complete(prompt, SCHEMA, timeout_s)


def test_an_answer_is_asked_for_by_schema_and_comes_back_as_it_is():
    with serving(says('{"summary": "short"}')) as endpoint:
        assert ask(model(endpoint, key=KEY)) == '{"summary": "short"}'
    assert endpoint.paths == ["/v1/chat/completions"]
    assert endpoint.asked[0]["response_format"]["json_schema"]["schema"] == SCHEMA
    assert endpoint.asked[0]["temperature"] == 0
    assert endpoint.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_a_server_that_knows_no_schema_is_asked_for_json_and_then_without():
    def picky(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        if "response_format" in body:
            send(handler, 400, b'{"error": "unknown field"}')
        else:
            says("{}")(handler, body)

    with serving(picky) as endpoint:
        asked = model(endpoint)
        assert ask(asked) == "{}"
        assert ask(asked) == "{}"
    kinds = [body.get("response_format", {}).get("type") for body in endpoint.asked]
    assert kinds == ["json_schema", "json_object", None, None]


def test_a_fence_around_the_answer_is_taken_off():
    with serving(says('```json\n{"a": 1}\n```')) as endpoint:
        assert ask(model(endpoint)) == '{"a": 1}'


@pytest.mark.parametrize("inside", [" ", "\n", "a ", "` ", "```\n"])
def test_an_answer_of_any_length_and_shape_is_taken_as_it_is(inside: str):
    said = "```" + inside * (100_000 // len(inside)) + "x"
    with serving(says(said)) as endpoint:
        assert ask(model(endpoint)) == said
    with serving(says(f"{said}```")) as endpoint:
        assert ask(model(endpoint)) == said[3:].strip()


def test_secrets_neither_leave_nor_come_back():
    with serving(says('{"summary": "hunter2-secret"}')) as endpoint:
        assert "hunter2" not in ask(model(endpoint), "The password is hunter2-secret.")
    assert "hunter2" not in json.dumps(endpoint.asked)


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 503, 302])
def test_a_refusal_is_an_error_that_names_the_host_and_what_helps(status: int):
    refuse = lambda handler, _: send(handler, status, b"no " + KEY.encode())  # noqa: E731
    with serving(refuse) as endpoint, pytest.raises(ModelUnavailable) as caught:
        ask(model(endpoint, key=KEY))
    assert f"127.0.0.1:{endpoint.port}" in str(caught.value)
    assert caught.value.next_step
    assert KEY not in str(caught.value)


NO_ANSWERS = (
    *(b"", b"hello", b"[]", b"null", b"{}", b"\xff\xfe\x00", b"[" * 20_000),
    *(b'{"choices": []}', b'{"choices": {"0": 1}}', b'{"choices": [{"message": {"content": null}}]}'),
    *(b'{"choices": [{"message": {"content": " "}}]}', b'{"choices": [{"message": {"content": ["a"]}}]}'),
)


@pytest.mark.parametrize("body", NO_ANSWERS)
def test_what_is_no_answer_is_nonsense_and_never_an_accident(body: bytes):
    with serving(lambda handler, _: send(handler, 200, body)) as endpoint, pytest.raises(ModelTalkedNonsense):
        ask(model(endpoint))


def test_an_answer_without_end_is_left_off():
    def endless(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(64 * REPLY_MAX_BYTES // 65_536):
            handler.wfile.write(b"a" * 65_536)

    with serving(endless) as endpoint, pytest.raises(ModelTalkedNonsense, match="more than"):
        ask(model(endpoint))


def silent(endpoint_ended: Callable[[], threading.Event], drip: bytes, headers: bool) -> Any:
    def answer(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        if headers:
            handler.send_response(200)
            handler.send_header("Content-Length", "100000")
            handler.end_headers()
        while not endpoint_ended().wait(0.05):
            if drip:
                handler.wfile.write(drip)

    return answer


@pytest.mark.parametrize(("drip", "headers"), [(b"", False), (b"", True), (b"a", True), (b"X", False)])
def test_a_late_answer_is_given_up_at_the_deadline_however_it_drips(drip: bytes, headers: bool):
    holder: list[Endpoint] = []
    with serving(silent(lambda: holder[0].ended, drip, headers)) as endpoint:
        holder.append(endpoint)
        started = time.monotonic()
        with pytest.raises(ModelUnavailable, match="in time"):
            ask(model(endpoint), timeout_s=0.4)
        assert time.monotonic() - started < 10, "it was given up, not waited for"


def test_a_connection_that_is_dropped_is_an_error_of_ours():
    def drop(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
        handler.connection.close()

    with serving(drop) as endpoint, pytest.raises(ModelUnavailable):
        ask(model(endpoint))


def test_nobody_listening_is_an_error_of_ours():
    with serving(says("{}")) as endpoint:
        gone = model(endpoint)
    with pytest.raises(ModelUnavailable, match="could not be asked"):
        ask(gone)


def test_a_run_asks_so_often_and_no_more():
    with serving(says("{}")) as endpoint:
        asked = model(endpoint, max_calls=2)
        ask(asked)
        ask(asked)
        with pytest.raises(ModelSpent):
            ask(asked)
    assert len(endpoint.asked) == 2


def test_a_question_that_is_too_long_is_not_sent():
    with serving(says("{}")) as endpoint, pytest.raises(ModelTalkedNonsense):
        ask(model(endpoint), "x" * (PROMPT_MAX_CHARS + 1))
    assert endpoint.asked == []


def test_looking_asks_for_the_models_and_spends_no_call():
    with serving(lambda handler, _: send(handler, 200, b'{"data": []}')) as endpoint:
        asked = model(endpoint, max_calls=0)
        asked.look()
    assert endpoint.paths == ["/v1/models"]
    with pytest.raises(ModelUnavailable):
        asked.look()


NO_ADDRESSES = (
    *("ftp://127.0.0.1/v1", "file:///etc/passwd", "127.0.0.1:11434", "http://", "http://user:pass@127.0.0.1/v1"),
    *("http://127.0.0.1:x/v1", "http://127.0.0.1/v1?key=1", "unix:/run/x"),
)


@pytest.mark.parametrize("address", NO_ADDRESSES)
def test_only_a_plain_http_address_is_taken_and_no_secret_in_it_is_repeated(address: str):
    with pytest.raises(UsageError) as caught:
        make_language_model(Settings(model_endpoint=address, model_name="tiny"), "", PlainRedactor())
    assert "pass" not in str(caught.value).replace("passwd", "")


def test_a_key_never_travels_unencrypted_to_another_machine():
    settings = Settings(model_endpoint="http://models.example.org/v1", model_name="tiny")
    assert make_language_model(settings, "", PlainRedactor()) is not None
    with pytest.raises(UsageError, match="unencrypted"):
        make_language_model(settings, KEY, PlainRedactor())
    assert make_language_model(
        Settings(model_endpoint="https://models.example.org/v1", model_name="t"), KEY, PlainRedactor()
    )


def test_a_key_stands_in_no_representation_and_cannot_split_a_header():
    settings = Settings(model_endpoint="http://localhost:1/v1", model_name="tiny")
    made = make_language_model(settings, KEY, PlainRedactor())
    assert KEY not in repr(made)
    with pytest.raises(UsageError):
        make_language_model(settings, "a\r\nX-Evil: 1", PlainRedactor())


def test_without_an_endpoint_there_is_no_model_and_an_endpoint_needs_a_name():
    assert make_language_model(Settings(), KEY, PlainRedactor()) is None
    with pytest.raises(UsageError, match="model_name"):
        make_language_model(Settings(model_endpoint="http://localhost:1/v1"), "", PlainRedactor())


def test_a_key_in_the_settings_file_is_refused_without_repeating_it(tmp_path: Any):
    (tmp_path / "config.toml").write_text(f'model_key = "{KEY}"\n')
    with pytest.raises(UsageError, match="COMPANION_MODEL_KEY") as caught:
        load_settings(tmp_path)
    assert KEY not in str(caught.value)
