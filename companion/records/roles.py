"""What a file is for, told by where it lies and what it is called."""

from __future__ import annotations

import re

from companion.records.code import FileRole

_TEST_FOLDERS = frozenset(
    """
    test tests __tests__ __test__ spec specs e2e testdata test_data fixtures __fixtures__ __mocks__ testutil
    testutils androidtest integration_tests integrationtest cypress
    """.split()
)
_TEST_NAME = re.compile(
    r"""^(?:
        test_.*\.\w+ | .*_test\.\w+ | tests?\.\w+ | conftest\.py
      | .*[._-](?:test|tests|spec|specs|e2e|cy|stories)\.[cm]?[jt]sx?
      | .*_(?:spec|test|tests)\.\w+ | .*_suite_test\.go
      | test-.*\.\w+ | .*\.bats
    )$""",
    re.VERBOSE | re.IGNORECASE,
)
# Case matters here: `Contest.java` is no test, `FooTest.java` is.
_TEST_CLASS = re.compile(
    r"^(?:.*[a-z0-9_](?:Tests?|TestCase|Specs?|IT)|Tests?)\.(?:java|kt|kts|scala|cs|php|swift|groovy|cpp|cc|hh|hpp|dart|hs)$"
)
_DOC_FOLDERS = frozenset("doc docs documentation website site manual man".split())
_DOC_LANGUAGES = frozenset({"markdown", "restructuredtext", "asciidoc", "text", "man", "latex"})
_DOC_NAMES = re.compile(
    r"^(?:readme|changelog|changes|history|news|authors|contributors|contributing|license|licence|copying|notice|"
    r"code_of_conduct|security|support|upgrading|upgrade|todo)(?:\..*)?$",
    re.IGNORECASE,
)
_CONFIG_LANGUAGES = frozenset("toml yaml json ini xml make dockerfile cmake gomod ignore hcl bazel nix".split())
_CONFIG_NAME = re.compile(
    r"^(?:setup\.py|noxfile\.py|tasks\.py|fabfile\.py|.*\.config\.[cm]?[jt]s|\..*rc(?:\.[cm]?js)?|gulpfile\.js|gruntfile\.js|"
    r"build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|build\.sbt|rakefile|gemfile|.*\.gemspec|package\.swift|"
    r"configure(?:\.ac)?|requirements.*\.txt|constraints.*\.txt|codeowners|makefile\.am|.*\.lock)$",
    re.IGNORECASE,
)


def role_of(path: str, language: str) -> FileRole:
    """What the file at `path` is for, by the conventions of all languages.

    Tests come first (a fixture under `tests/` is part of the tests), then documentation, then
    configuration; any other file with a language is source.
    """
    *folders, name = path.split("/")
    lowered = [folder.lower() for folder in folders]
    if _is_test(lowered, name):
        return FileRole.TEST
    if language in _CONFIG_LANGUAGES or _CONFIG_NAME.match(name):
        return FileRole.CONFIG
    if language in _DOC_LANGUAGES or _DOC_NAMES.match(name):
        return FileRole.DOC
    if lowered and lowered[0] in _DOC_FOLDERS:
        return FileRole.DOC
    return FileRole.SOURCE if language else FileRole.OTHER


def _is_test(folders: list[str], name: str) -> bool:
    if _TEST_NAME.match(name) or _TEST_CLASS.match(name):
        return True
    if any(folder in _TEST_FOLDERS for folder in folders):
        return True
    # A `testing` package inside a library is part of what it offers; at the top it holds tests.
    return folders[:1] == ["testing"] or any(folder.endswith((".tests", ".test", "-tests")) for folder in folders)
