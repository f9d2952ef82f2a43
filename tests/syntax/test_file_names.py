"""What a file's name says of it."""

from __future__ import annotations

import pytest

from companion.syntax.file_names import read_name


@pytest.mark.parametrize(
    ("path", "stem", "test"),
    [
        ("tests/test_json_tag.py", "json_tag", True),
        ("src/json_tag.py", "json_tag", False),
        ("pkg/server_test.go", "server", True),
        ("src/Gson.java", "gson", False),
        ("src/test/GsonTest.java", "gson", True),
        ("lib/router.spec.ts", "router", True),
        ("contest.py", "contest", False),
        ("src/flask/__init__.py", "flask", False),
        ("spec/flask_spec.rb", "flask", True),
        ("tests/util.py", "util", True),
        ("src/add/index.ts", "add", False),
        ("src/add/test.ts", "add", True),
        ("src/add/__tests__/index.ts", "add", True),
        ("test.py", "test", True),
        ("src/flask/testing.py", "testing", False),
    ],
)
def test_a_path_says_what_it_is_about_and_whether_it_is_a_test(path: str, stem: str, test: bool) -> None:
    assert (read_name(path).stem, read_name(path).test) == (stem, test)
