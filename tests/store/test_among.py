"""Pieces of likely files are told apart by what they have of the task and the others have not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.records import Passage, PassageHit, PassageKind
from companion.store.passages.among import told_apart


def hit(text: str, score: float = 1.0, title: str = "", path: str = "src/pool.py") -> PassageHit:
    return PassageHit(Passage(PassageKind.CHUNK, text, title, path=path, span=(1, 2)), score)


def test_a_word_that_every_piece_has_tells_nothing_from_one_that_few_have() -> None:
    common = [hit("pool pool pool", 9.0, path=f"src/{n}.py") for n in range(4)]
    (first, *_) = told_apart([*common, hit("pool drain")], "drain the pool")
    assert first.passage.text == "pool drain"


def test_a_word_counts_wherever_it_stands() -> None:
    others = [hit("something else"), hit("and more of it")]
    for told in (hit("drain"), hit("it", title="def drain()"), hit("it", path="src/drain.py")):
        assert told_apart([*others, told], "drain")[0] == told_apart([told, *others], "drain")[0]
        assert told_apart([*others, told], "drain")[0].passage == told.passage


@given(st.lists(st.text("ab cd", max_size=12), max_size=8), st.text("ab cd", max_size=12))
def test_nothing_is_lost_and_the_order_is_that_of_the_scores(texts: list[str], asked: str) -> None:
    hits = [hit(text) for text in texts]
    found = told_apart(hits, asked)
    assert sorted(one.passage.text for one in found) == sorted(texts)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_of_pieces_that_say_the_same_the_one_nearer_in_meaning_goes_first_and_one_without_a_vector_between() -> None:
    far, near, unknown = (replace(hit("drain", path=f"src/{at}.py"), near=at) for at in (0.1, 0.5, None))
    assert [one.passage.path for one in told_apart([far, unknown, near], "drain")] == [
        "src/0.5.py",
        "src/None.py",
        "src/0.1.py",
    ]


def test_meaning_known_of_no_piece_or_of_all_alike_changes_nothing() -> None:
    plain = [hit("drain"), hit("drain the pool")]
    alike = [replace(one, near=0.3) for one in plain]
    scores = [one.score for one in told_apart(plain, "drain pool")]
    assert [one.score for one in told_apart(alike, "drain pool")] == scores


def test_a_definition_whose_whole_name_the_task_says_in_words_goes_before_one_that_says_them_here_and_there() -> None:
    def called(symbol: str) -> PassageHit:
        found = hit("return self.names and keep the help of each option")
        return replace(found, passage=replace(found.passage, symbol=symbol))

    task = "keep the order of help option names"
    for name in ("Command.get_help_option_names", "Command.getHelpOptionNames"):
        first, second = told_apart([called("Command.render_all_of_them"), called(name)], task)
        assert first.passage.symbol == name
        assert first.score > 1.5 * second.score
    for name in ("names", "Command.option_parser_of_the_shell", ""):
        first, second = told_apart([called("Command.render_all_of_them"), called(name)], task)
        assert first.score < 1.2 * second.score, name
