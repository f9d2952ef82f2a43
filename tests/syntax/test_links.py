"""Links between the files of small projects, a tree for each language."""

import pytest

from companion.records import LinkKind
from companion.syntax import Definitions, link, parse
from companion.syntax.resolve.rust import rust_paths

IMPORT, CALL, INHERIT, TEST = LinkKind.IMPORT, LinkKind.CALL, LinkKind.INHERIT, LinkKind.TEST

PYTHON = {
    "src/shop/__init__.py": "from .basket import Basket\n",
    "src/shop/basket.py": "from . import stock\nfrom .stock import Shelf\nimport json\n\n"
    "class Basket(Shelf):\n    def sell(self):\n        stock.take_apple(1)\n        json.load(self)\n",
    "src/shop/stock.py": "class Shelf: pass\ndef take_apple(n): pass\ndef load(x): pass\n",
    "tests/test_basket.py": "from shop import Basket\n\ndef test_it():\n    Basket().sell()\n",
}
TYPESCRIPT = {
    "package.json": '{"name": "@market/root"}',
    "src/index.ts": 'export { Basket } from "./basket.js";\n',
    "src/basket.ts": 'import { Shelf, takeApple as take } from "@/stock";\nimport fs from "fs";\n'
    "export class Basket extends Shelf { sell() { take(1); fs.stat(); } }\n",
    "src/stock/index.ts": "export class Shelf {}\nexport function takeApple(n: number) {}\n",
    "src/basket.test.ts": 'import { Basket } from ".";\ntest("sells", () => { new Basket().sell(); });\n',
}
GO = {
    "go.mod": "module example.com/market\n",
    "shop.go": 'package market\nimport "example.com/market/stock"\nfunc Sell() { stock.TakeApple(1); weigh() }\n',
    "scale.go": "package market\nfunc weigh() int { return 1 }\n",
    "stock/shelf.go": "package stock\nfunc TakeApple(n int) {}\n",
    "stock/other.go": "package stock\nfunc Unrelated() {}\n",
    "shop_test.go": 'package market\nimport "testing"\nfunc TestSell(t *testing.T) { Sell() }\n',
}
RUST = {
    "Cargo.toml": '[package]\nname = "big-market"\n',
    "src/lib.rs": "pub mod stock;\nmod basket;\npub use basket::Basket;\n",
    "src/basket.rs": "use crate::stock::shelf::{Shelf, take_apple};\npub struct Basket;\n"
    "impl Shelf for Basket {}\nfn go() { take_apple(1); }\n",
    "src/stock/mod.rs": "pub mod shelf;\n",
    "src/stock/shelf.rs": "pub trait Shelf {}\npub fn take_apple(n: u32) {}\n",
    "tests/basket.rs": "use big_market::Basket;\n#[test]\nfn works() { Basket::new(); }\n",
}
JAVA = {
    "app/src/main/java/com/shop/Basket.java": "package com.shop;\nimport com.stock.Shelf;\n"
    "public class Basket extends Shelf { public int sell() { return new Scale().weighApples(); } }\n",
    "app/src/main/java/com/shop/Scale.java": "package com.shop;\nclass Scale { int weighApples() { return 1; } }\n",
    "app/src/main/java/com/stock/Shelf.java": "package com.stock;\npublic class Shelf {}\n",
    "app/src/test/java/com/shop/BasketTest.java": "package com.shop;\nimport org.junit.Test;\n"
    "public class BasketTest { @Test public void sells() { new Basket().sell(); } }\n",
}
C = {
    "src/shop.c": '#include <stdio.h>\n#include "stock/shelf.h"\nint sell(void) { return shelf_take(1); }\n',
    "include/stock/shelf.h": "int shelf_take(int n);\n",
    "src/stock/shelf.c": '#include "stock/shelf.h"\nint shelf_take(int n) { return n; }\n',
}
CSHARP = {
    "Shop/Basket.cs": "using Market.Stock;\nnamespace Market.Shop;\n"
    "public class Basket : Shelf { void Go() { TakeApple(); } }\n",
    "Stock/Shelf.cs": "namespace Market.Stock;\npublic class Shelf { public void TakeApple() {} }\n",
}
RUBY = {
    "lib/shop/basket.rb": "require 'shop/shelf'\n"
    "module Shop\n  class Basket < Shelf\n"
    "    def sell\n      take_apple(1)\n    end\n  end\nend\n",
    "lib/shop/shelf.rb": "module Shop\n  class Shelf\n    def take_apple(n); end\n  end\nend\n",
    "test/basket_test.rb": "require_relative '../lib/shop/basket'\n"
    "class BasketTest < Minitest::Test\n"
    "  def test_it\n    Shop::Basket.new.sell\n  end\nend\n",
}
PHP = {
    "src/Shop/Basket.php": "<?php\nnamespace Market\\Shop;\nuse Market\\Stock\\Shelf;\nclass Basket extends Shelf {\n"
    "  function sell() { return $this->takeApple(new Scale()); }\n}\n",
    "src/Shop/Scale.php": "<?php\nnamespace Market\\Shop;\nclass Scale {}\n",
    "src/Stock/Shelf.php": "<?php\nnamespace Market\\Stock;\nclass Shelf { function takeApple($n) {} }\n",
    "tests/Shop/BasketTest.php": "<?php\nnamespace Tests;\nuse Market\\Shop\\Basket;\n"
    "class BasketTest extends TestCase { function testIt() { (new Basket())->sell(); } }\n",
}
BASH = {
    "bin/shop.sh": '#!/bin/bash\nsource "$(dirname "$0")/../lib/stock.sh"\ntake_apple 1\n',
    "lib/stock.sh": "take_apple() { echo 1; }\n",
}
LUA = {
    "shop.lua": 'local stock = require("market.stock")\nstock.take_apple(1)\n',
    "market/stock.lua": "local M = {}\nfunction M.take_apple(n) end\nreturn M\n",
}
DART = {
    "shop/pubspec.yaml": "name: big_shop\n",
    "shop/lib/shop.dart": "export 'src/basket.dart';\nexport 'src/shelf.dart' show Shelf;\n",
    "shop/lib/src/basket.dart": "import 'shelf.dart' as s;\npart 'basket.g.dart';\n"
    "class Basket extends s.Shelf {\n  int sell() => s.takeApple(1);\n}\n",
    "shop/lib/src/shelf.dart": "class Shelf {}\nint takeApple(int n) => n;\n",
    "shop/lib/src/basket.g.dart": "part of 'basket.dart';\n",
    "shop/test/basket_test.dart": "import 'package:big_shop/shop.dart';\nimport 'package:test/test.dart' as t;\n"
    "void main() {\n  t.test('sells', () => Basket().sell());\n  t.takeApple(1);\n}\n",
    "other/lib/test.dart": "void test() {}\n",
}
HASKELL = {
    "src/Market/Shop.hs": "module Market.Shop (sell) where\nimport Market.Stock (takeApple, (.:))\n"
    "import qualified Market.Scale as S\nimport Market.Seller\nimport Data.List (takePear)\n"
    "instance Seller Shop where\nsell :: Int -> Int\nsell n = takeApple n .: S.weigh (takePear n)\n",
    "src/Market/Stock.hs": "module Market.Stock (module Market.Stock.Shelf, (.:)) where\nimport Market.Stock.Shelf\n"
    "a .: b = a\n",
    "src/Market/Stock/Shelf.hs": "module Market.Stock.Shelf where\ntakeApple n = n\n",
    "src/Market/Scale.hs": "module Market.Scale where\nweigh n = n\ntakePear n = n\n",
    "src/Market/Seller.hs": "module Market.Seller where\nclass Seller a where\n  sells :: a\n",
    "test/ShopSpec.hs": 'module ShopSpec where\nimport Market.Shop\nspec = it "sells" (sell 1)\n',
}
TERRAFORM = {
    "shop/main.tf": 'module "net" {\n  source = "../modules/net"\n}\n'
    'resource "aws_instance" "till" {\n  name = var.name\n  tags = local.tags\n  cost = var.cost\n}\n',
    "shop/variables.tf": 'variable "name" {}\n',
    "shop/tags.tf": 'locals {\n  tags = { Name = "shop" }\n  name = "shop"\n}\n',
    "shop/outputs.tf": 'output "id" { value = aws_instance.till.id }\noutput "name" { value = var.name }\n',
    "modules/net/main.tf": 'resource "aws_vpc" "till" {}\nvariable "cost" {}\n',
    "modules/net/outputs.tf": 'output "name" { value = aws_vpc.till.name }\n',
}


def links_of(tree):
    parsed = [parse(path, text.encode(), "h") for path, text in tree.items()]
    return {(one.source, one.target, one.kind): one for one in link(parsed, Definitions(parsed))}


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (
            PYTHON,
            [
                ("src/shop/basket.py", "src/shop/stock.py", IMPORT),
                ("src/shop/basket.py", "src/shop/stock.py", CALL),
                ("src/shop/basket.py", "src/shop/stock.py", INHERIT),
                ("src/shop/__init__.py", "src/shop/basket.py", IMPORT),
                ("tests/test_basket.py", "src/shop/__init__.py", IMPORT),
                ("tests/test_basket.py", "src/shop/basket.py", CALL),
                ("tests/test_basket.py", "src/shop/basket.py", TEST),
            ],
        ),
        (
            TYPESCRIPT,
            [
                ("src/index.ts", "src/basket.ts", IMPORT),
                ("src/basket.ts", "src/stock/index.ts", IMPORT),
                ("src/basket.ts", "src/stock/index.ts", CALL),
                ("src/basket.ts", "src/stock/index.ts", INHERIT),
                ("src/basket.test.ts", "src/basket.ts", CALL),
                ("src/basket.test.ts", "src/basket.ts", TEST),
            ],
        ),
        (
            GO,
            [
                ("shop.go", "stock/shelf.go", IMPORT),
                ("shop.go", "stock/shelf.go", CALL),
                ("shop.go", "scale.go", CALL),
                ("shop_test.go", "shop.go", CALL),
                ("shop_test.go", "shop.go", TEST),
            ],
        ),
        (
            RUST,
            [
                ("src/lib.rs", "src/stock/mod.rs", IMPORT),
                ("src/lib.rs", "src/basket.rs", IMPORT),
                ("src/stock/mod.rs", "src/stock/shelf.rs", IMPORT),
                ("src/basket.rs", "src/stock/shelf.rs", IMPORT),
                ("src/basket.rs", "src/stock/shelf.rs", CALL),
                ("src/basket.rs", "src/stock/shelf.rs", INHERIT),
                ("tests/basket.rs", "src/basket.rs", TEST),
            ],
        ),
        (
            JAVA,
            [
                (
                    "app/src/main/java/com/shop/Basket.java",
                    "app/src/main/java/com/stock/Shelf.java",
                    INHERIT,
                ),
                (
                    "app/src/main/java/com/shop/Basket.java",
                    "app/src/main/java/com/stock/Shelf.java",
                    IMPORT,
                ),
                ("app/src/main/java/com/shop/Basket.java", "app/src/main/java/com/shop/Scale.java", CALL),
                (
                    "app/src/test/java/com/shop/BasketTest.java",
                    "app/src/main/java/com/shop/Basket.java",
                    TEST,
                ),
            ],
        ),
        (
            C,
            [
                ("src/shop.c", "include/stock/shelf.h", IMPORT),
                ("src/shop.c", "include/stock/shelf.h", CALL),
                ("src/stock/shelf.c", "include/stock/shelf.h", IMPORT),
            ],
        ),
        (
            CSHARP,
            [
                ("Shop/Basket.cs", "Stock/Shelf.cs", INHERIT),
                ("Shop/Basket.cs", "Stock/Shelf.cs", CALL),
                ("Shop/Basket.cs", "Stock/Shelf.cs", IMPORT),
            ],
        ),
        (
            RUBY,
            [
                ("lib/shop/basket.rb", "lib/shop/shelf.rb", IMPORT),
                ("lib/shop/basket.rb", "lib/shop/shelf.rb", CALL),
                ("lib/shop/basket.rb", "lib/shop/shelf.rb", INHERIT),
                ("test/basket_test.rb", "lib/shop/basket.rb", IMPORT),
                ("test/basket_test.rb", "lib/shop/basket.rb", TEST),
            ],
        ),
        (
            PHP,
            [
                ("src/Shop/Basket.php", "src/Stock/Shelf.php", IMPORT),
                ("src/Shop/Basket.php", "src/Stock/Shelf.php", INHERIT),
                ("src/Shop/Basket.php", "src/Stock/Shelf.php", CALL),
                ("src/Shop/Basket.php", "src/Shop/Scale.php", CALL),
                ("tests/Shop/BasketTest.php", "src/Shop/Basket.php", TEST),
            ],
        ),
        (BASH, [("bin/shop.sh", "lib/stock.sh", IMPORT), ("bin/shop.sh", "lib/stock.sh", CALL)]),
        (LUA, [("shop.lua", "market/stock.lua", IMPORT), ("shop.lua", "market/stock.lua", CALL)]),
        (
            DART,
            [
                ("shop/lib/shop.dart", "shop/lib/src/basket.dart", IMPORT),
                ("shop/lib/src/basket.dart", "shop/lib/src/shelf.dart", IMPORT),
                ("shop/lib/src/basket.dart", "shop/lib/src/shelf.dart", CALL),
                ("shop/lib/src/basket.dart", "shop/lib/src/shelf.dart", INHERIT),
                ("shop/lib/src/basket.dart", "shop/lib/src/basket.g.dart", IMPORT),
                ("shop/lib/src/basket.g.dart", "shop/lib/src/basket.dart", IMPORT),
                ("shop/test/basket_test.dart", "shop/lib/shop.dart", IMPORT),
                ("shop/test/basket_test.dart", "shop/lib/src/basket.dart", CALL),
                ("shop/test/basket_test.dart", "shop/lib/src/basket.dart", TEST),
            ],
        ),
        (
            HASKELL,
            [
                ("src/Market/Shop.hs", "src/Market/Stock.hs", IMPORT),
                ("src/Market/Shop.hs", "src/Market/Stock.hs", CALL),
                ("src/Market/Shop.hs", "src/Market/Stock/Shelf.hs", CALL),
                ("src/Market/Shop.hs", "src/Market/Scale.hs", CALL),
                ("src/Market/Shop.hs", "src/Market/Seller.hs", INHERIT),
                ("test/ShopSpec.hs", "src/Market/Shop.hs", CALL),
                ("test/ShopSpec.hs", "src/Market/Shop.hs", TEST),
            ],
        ),
        (
            TERRAFORM,
            [
                ("shop/main.tf", "modules/net/main.tf", IMPORT),
                ("shop/main.tf", "modules/net/outputs.tf", IMPORT),
                ("shop/main.tf", "shop/variables.tf", CALL),
                ("shop/main.tf", "shop/tags.tf", CALL),
                ("shop/outputs.tf", "shop/main.tf", CALL),
                ("modules/net/outputs.tf", "modules/net/main.tf", CALL),
            ],
        ),
    ],
    ids=[
        "python",
        "typescript",
        "go",
        "rust",
        "java",
        "c",
        "csharp",
        "ruby",
        "php",
        "bash",
        "lua",
        "dart",
        "haskell",
        "terraform",
    ],
)
def test_imports_calls_bases_and_tests_are_linked(tree, expected):
    found = links_of(tree)
    assert [key for key in expected if key not in found] == []


def test_what_another_project_defines_is_no_link():
    found = links_of(PYTHON)
    assert "load" not in found["src/shop/basket.py", "src/shop/stock.py", CALL].names
    assert links_of(HASKELL)["src/Market/Shop.hs", "src/Market/Scale.hs", CALL].names == ("weigh",)
    used = [target for source, target, _ in links_of(DART) if source == "shop/test/basket_test.dart"]
    assert used
    assert not {"other/lib/test.dart", "shop/lib/src/shelf.dart"}.intersection(used)


def test_a_go_package_is_linked_only_where_its_names_are_used():
    assert ("shop.go", "stock/other.go", IMPORT) not in links_of(GO)


def test_an_address_means_what_has_it_in_the_same_folder():
    found = links_of(TERRAFORM)
    assert {(source, target): one.names for (source, target, kind), one in found.items() if kind is CALL} == {
        ("shop/main.tf", "shop/variables.tf"): ("name",),
        ("shop/main.tf", "shop/tags.tf"): ("tags",),
        ("shop/outputs.tf", "shop/main.tf"): ("till",),
        ("shop/outputs.tf", "shop/variables.tf"): ("name",),
        ("modules/net/outputs.tf", "modules/net/main.tf"): ("till",),
    }


def test_weight_counts_uses_and_names_say_which():
    tree = {"a.py": "from b import f, g\nf()\nf()\ng()\n", "b.py": "def f(): pass\ndef g(): pass\n"}
    calls = links_of(tree)["a.py", "b.py", CALL]
    assert (calls.weight, calls.names) == (3.0, ("f", "g"))


def test_everyday_names_and_names_of_many_files_are_not_guessed():
    many = {f"{n}.rb": "def handle_apple; end\n" for n in range(5)}
    assert links_of({"main.rb": "handle_apple\nrun\n", "runner.rb": "def run; end\n", **many}) == {}


def test_sources_are_not_linked_to_tests():
    tree = {"a.go": "package m\nfunc A() { helperOnly() }\n", "a_test.go": "package m\nfunc helperOnly() {}\n"}
    assert ("a.go", "a_test.go", CALL) not in links_of(tree)


def test_a_file_is_never_linked_to_itself():
    for tree in (PYTHON, TYPESCRIPT, GO, RUST, JAVA, C, RUBY, PHP):
        assert all(source != target for source, target, _ in links_of(tree))


def test_links_do_not_depend_on_the_order_of_files():
    parsed = [parse(path, text.encode(), "h") for path, text in PYTHON.items()]
    assert link(parsed, Definitions(parsed)) == link(parsed[::-1], Definitions(parsed[::-1]))


def test_definitions_updated_for_some_files_equal_those_built_anew():
    parsed = {path: parse(path, text.encode(), "h") for path, text in PYTHON.items()}
    changed = parse("src/shop/stock.py", b"class Shelf: pass\n", "h2")
    updated = Definitions(parsed.values())
    updated.update([changed], ["src/shop/__init__.py"])
    left = {**parsed, "src/shop/stock.py": changed}
    del left["src/shop/__init__.py"]
    assert link(list(left.values()), updated) == link(list(left.values()), Definitions(left.values()))


@pytest.mark.parametrize(
    ("test", "source"),
    [
        ("tests/test_app.py", "src/app.py"),
        ("tests/test_app.py", "src/_app.py"),
        ("app_test.go", "app.go"),
        ("web/app.spec.ts", "web/app.tsx"),
        ("web/__tests__/app.js", "web/app.js"),
        ("src/test/java/a/AppTest.java", "src/main/java/a/App.java"),
        ("spec/models/app_spec.rb", "app/models/app.rb"),
        ("tests/sync_mutex.rs", "src/sync/mutex.rs"),
        ("web/__tests__/search-root.spec.ts", "web/searchRoot.ts"),
        ("web/searchRoot.test.ts", "web/search-root.ts"),
        ("test/date_picker.test.js", "src/DatePicker.jsx"),
        ("src/HTTPPool.test.js", "src/http-pool.js"),
    ],
)
def test_a_test_is_linked_to_its_namesake(test, source):
    body = {"py": "f()", "go": "package a\nfunc TestIt() { F() }", "rs": "fn f() { g(); }", "rb": "f()"}
    text = body.get(test.rpartition(".")[2], "class A { void t() { f(); } }")
    assert (test, source, TEST) in links_of({test: text, source: "", f"other/{source}x": ""})


def test_a_use_tree_is_taken_apart():
    assert rust_paths("a::{b, c::{self, d as e}, f::*}") == [
        (["a", "b"], "b"),
        (["a", "c"], "c"),
        (["a", "c", "d"], "e"),
        (["a", "f", "*"], "*"),
    ]
