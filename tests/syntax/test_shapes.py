"""Shapes: the places where structure recurs, by family."""

import pytest

from companion.records import ShapeFamily as Family
from companion.syntax import parse


def keys(path, text, family):
    return [shape.key for shape in parse(path, text.encode(), "h").shapes if shape.family is family]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.py", '@app.get("/items/{id}")\ndef read(id): pass\n', ["@app.{method}"]),
        ("a.py", '@bp.route("/x", methods=["POST"])\ndef x(): pass\n', ["@bp.route"]),
        ("a.py", 'urlpatterns = [path("x/", views.index)]\n', ["path"]),
        ("a.py", 'client.get("/x")\ndata.get("/x")\n', []),
        ("a.js", "router.post('/users', check, (req, res) => res.json({}));\n", ["router.{method}"]),
        ("a.js", "axios.get('/users', {x: 1}); cache.get('k', 1);\n", []),
        ("a.go", 'package a\nfunc f() { r.GET("/x", handle) }\n', ["r.{method}"]),
        ("a.go", 'package a\nfunc f() { http.HandleFunc("/x", handle) }\n', ["http.HandleFunc"]),
        ("a.go", 'package a\nfunc f() { http.Get("/x", handle) }\n', []),
        ("A.java", 'class A { @GetMapping("/x") public String x() { return ""; } }\n', ["@GetMapping"]),
        ("a.rs", '#[get("/x")]\nasync fn x() {}\n', ["@{method}"]),
        ("a.rb", "get '/x' do\n  1\nend\n", ["{method}"]),
        ("a.php", "<?php\nRoute::get('x', [A::class, 'index']);\n", ["Route::{method}"]),
        ("a.php", "<?php\n$app->get('/x', function () {});\n", ["$app->{method}"]),
        ("A.cs", 'class A { [HttpGet("/x")] public int X() { return 1; } }\n', ["@HttpGet"]),
    ],
)
def test_route_declarations_are_told_from_requests(path, text, expected):
    assert keys(path, text, Family.ENDPOINT) == expected


def test_an_endpoint_knows_method_path_and_function():
    (shape,) = (
        s for s in parse("a.py", b'@app.get("/x")\ndef read(): pass\n', "h").shapes if s.family is Family.ENDPOINT
    )
    assert (shape.symbol, dict(shape.slots)) == ("read", {"method": "get", "path": "/x"})


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("tests/test_a.py", "def test_x(): pass\n", ["test function"]),
        ("tests/test_a.py", "class T(unittest.TestCase):\n  def test_x(self): pass\n", ["test testcase-method"]),
        ("tests/test_a.py", "@pytest.fixture\ndef shop(): pass\n", ["fixture @pytest.fixture"]),
        (
            "tests/shop.cpp",
            'TEST_CASE("sells", "[shop]") {\n  REQUIRE(1);\n}\nTEST_CASE_METHOD(Till, "buys") { f("x"); }\n'
            'TEST_CASE("a" * doctest::skip()) {}\nTEST_CASE_FIXTURE(Till, R"(c)" "d") {}\nSCENARIO("e") {}\n',
            ["case TEST_CASE", "case TEST_CASE_METHOD", "case TEST_CASE", "case TEST_CASE_FIXTURE", "case SCENARIO"],
        ),
        ("a.test.js", "describe('shop', () => {\n  it('sells', () => {})\n})\n", ["group describe", "case it"]),
        (
            "a_test.go",
            'package a\nfunc TestX(t *testing.T) {\nfor _, c := range cs {\nt.Run("x", func(t *testing.T) {})\n}\n}\n',
            ["test table-driven", "case Run"],
        ),
        ("src/a.rs", "#[tokio::test]\nasync fn x() {}\n", ["test #[tokio.test]"]),
        ("ATest.java", "class ATest { @Test void x() {} }\n", ["test @Test"]),
        (
            "test/a_test.dart",
            "void main() {\n  group('shop', () {\n    testWidgets('sells', (t) async {});\n    blocTest<A, B>('buys');\n  });\n}\n",
            ["group group", "case testWidgets", "case blocTest"],
        ),
        (
            "test/ASpec.hs",
            'spec = describe "shop" $ do\n  it "sells" $ sell 1\n  testCase "buys" (pure ())\n',
            ["group describe", "case it", "case testCase"],
        ),
        ("src/a.py", "def test_x(): pass\n", []),
    ],
)
def test_shapes_of_testing(path, text, expected):
    assert keys(path, text, Family.TEST) == expected


def test_naming_tells_casings_apart_and_leaves_single_words():
    text = (
        "MAX_SIZE = 1\ndef make_shop(): pass\ndef makeShop(): pass\n"
        "def run(): pass\ndef _hide_it(): pass\nclass MyShop: pass\n"
    )
    assert sorted(keys("my_shop.py", text, Family.NAMING)) == [
        "class PascalCase",
        "constant UPPER_CASE",
        "function camelCase",
        "function snake_case",
        "function snake_case",
    ]


def test_a_class_family_is_told_by_its_base_with_the_methods_of_each() -> None:
    text = "class A(views.Base):\n    @functools.wraps(f)\n    def get(self):\n        logger.info('x')\n"
    shapes = parse("a.py", text.encode(), "h").shapes
    assert [(shape.family, shape.key, dict(shape.slots)) for shape in shapes] == [
        (Family.CLASS_FAMILY, "views.Base", {"methods": "get"})
    ]
