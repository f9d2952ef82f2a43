"""Parsing many files gives what parsing each gives, in order, in however many processes."""

import multiprocessing

from companion.syntax import parse, parse_many
from companion.syntax.pool import FEW_FILES


def items(count):
    return [(f"m{n}.py", f"def f{n}(): return g{n}()\n".encode(), str(n)) for n in range(count)]


def unchanged(data: bytes) -> bytes:
    return data


def test_few_files_are_parsed_here_in_order():
    assert list(parse_many(iter(items(5)), 4, unchanged)) == [parse(*item) for item in items(5)]


def test_many_files_in_processes_give_the_same_results_in_the_same_order():
    many = [*items(FEW_FILES + 40), ("bad.py", b"\0", "x"), ("README.md", b"# Hi\n", "y")]
    assert list(parse_many(iter(many), 2, unchanged)) == [parse(*item) for item in many]


def test_input_is_read_only_as_far_ahead_as_there_is_work():
    taken = 0

    def counted():
        nonlocal taken
        for item in items(4_000):
            taken += 1
            yield item

    results = parse_many(counted(), 2, unchanged)
    next(results)
    assert taken < 1_000
    results.close()


def test_no_files_give_no_results():
    assert list(parse_many(iter(()), 4, unchanged)) == []


def test_workers_that_die_cost_no_file():
    many = items(1_000)
    results = parse_many(iter(many), 2, unchanged)
    parsed = [next(results)]
    for worker in multiprocessing.active_children():
        worker.kill()
    parsed.extend(results)
    assert parsed == [parse(*item) for item in many]


def without_numbers(data: bytes) -> bytes:
    """A change that every worker can be told of by its name."""
    return data.replace(b"12345", b"")


def test_what_is_parsed_is_prepared_first_here_and_in_workers_and_the_size_stays_the_files():
    many = [(f"m{number}.py", b"def f(secret=12345):\n    pass\n", f"h{number}") for number in range(FEW_FILES + 5)]
    for workers in (1, 2):
        parsed = list(parse_many(iter(many), workers, without_numbers))
        assert {symbol.signature for file in parsed for symbol in file.symbols} == {"def f(secret=)"}
        assert {file.size_bytes for file in parsed} == {len(many[0][1])}
