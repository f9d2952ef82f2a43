"""The protocol's records are made when they are used, and are those that lsprotocol makes at once."""

from __future__ import annotations

import ast
import subprocess
import sys

import attrs
from lsprotocol import types

LATER = "from companion_lsp.loading import Fields, load_types; load_types(); from lsprotocol import types"
TELL = """
import attrs
from lsprotocol.converters import get_converter
get_converter()  # which resolves what refers forward
records = {name: one for name, one in vars(types).items() if isinstance(one, type) and attrs.has(one)}
said = {name: [(f.name, str(f.type), repr(f.default), f.kw_only, f.alias) for f in attrs.fields(one)]
        for name, one in records.items()}
"""


def told(program: str) -> object:
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    return ast.literal_eval(done.stdout)


def test_records_that_are_made_later_have_the_fields_that_they_would_have_had():
    given: dict[str, object] = {"types": types}
    exec(TELL, given)
    assert told(f"{LATER}\n{TELL}\nprint(said)") == given["said"]


def test_records_that_are_made_later_compare_show_and_check_as_they_would_have():
    tried = [
        "types.Position(1, 2) == types.Position(1, 2) != types.Position(1, 3)",
        "types.Position(1, 2) < types.Position(1, 3)",
        "repr(types.Registration(id='a', method='b'))",
        "types.Registration('a', 'b') == types.Registration('a', 'b')",
        "types.Hover(contents='x').range",
    ]
    program = f"{LATER}\nprint([{', '.join(tried)}])"
    assert told(program) == [eval(one, {"types": types}) for one in tried]
    refused = f"{LATER}\ntry: types.Position(-1, 0)\nexcept ValueError: print(True)"
    assert told(refused) is True


def test_a_server_makes_few_of_them():
    program = f"""{LATER}
from companion_lsp.stdio import make_server
make_server()
records = [one for one in vars(types).values() if isinstance(one, type) and "__attrs_attrs__" in vars(one)]
print((len(records), sum(not isinstance(vars(one)["__attrs_attrs__"], Fields) for one in records)))"""
    every, made = told(program)  # type: ignore[misc]
    assert every > 500
    assert made < every / 10


def test_a_record_that_several_threads_use_first_is_made_once():
    program = f"""{LATER}
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool:
    found = list(pool.map(lambda at: types.Registration(str(at), "m").id, range(64)))
print(found == [str(at) for at in range(64)])"""
    assert told(program) is True


def test_what_was_imported_before_stays_as_it_is():
    program = f"from lsprotocol import types\nimport attrs\n{LATER}\nprint('__slots__' in vars(types.Position))"
    assert told(program) is True
    assert "__slots__" in vars(types.Position)
    assert attrs.has(types.Position)
