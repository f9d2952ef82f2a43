"""Structures that any project of a language has: alone they say nothing of this one."""

from __future__ import annotations

from companion.records import ShapeFamily

_RAISED = """
    ValueError TypeError KeyError RuntimeError NotImplementedError IndexError AttributeError Exception AssertionError
    OSError IOError StopIteration StopAsyncIteration LookupError ImportError NameError SystemExit KeyboardInterrupt
    UserWarning PendingDeprecationWarning DeprecationWarning BaseException UnicodeDecodeError UnicodeEncodeError
    ModuleNotFoundError FileNotFoundError PermissionError TimeoutError OverflowError ZeroDivisionError ConnectionError
    Error RangeError SyntaxError ReferenceError IllegalArgumentException IllegalStateException NullPointerException
    UnsupportedOperationException RuntimeException IOException Throwable IndexOutOfBoundsException ClassCastException
    NumberFormatException NoSuchElementException InterruptedException StandardError ArgumentError NoMethodError
    InvalidArgumentException LogicException BadMethodCallException OutOfBoundsException UnexpectedValueException
    ArgumentNullException InvalidOperationException NotSupportedException ArgumentException AssertionFailedError
    GeneratorExit UnicodeError NotADirectoryError IsADirectoryError EOFError RecursionError Warning
    NoSuchMethodException NoSuchFieldException IllegalAccessException InstantiationException
    ReflectiveOperationException ArithmeticException CloneNotSupportedException StackOverflowError UncheckedIOException
    EOFException
"""
_BASES = """
    object Enum IntEnum StrEnum Flag ABC Protocol Generic NamedTuple TypedDict dict list str int tuple set TestCase
    Thread type Serializable Cloneable Comparable Iterator Iterable Runnable Closeable AutoCloseable Callable Struct
    Object Debug Clone Default Display From Into Drop Future Send Sync Unpin Deref DerefMut AsRef Hash PartialEq Eq Ord
    PartialOrd Countable ArrayAccess IteratorAggregate Stringable JsonSerializable Traversable IDisposable IEnumerable
    IEquatable Attribute EventArgs FusedIterator UnwindSafe RefUnwindSafe Copy Borrow AsMut Index IndexMut Extend
    FromIterator IntoIterator Add Sub TryFrom TryInto FromStr ToString Error Read Write Seek BufRead AsRawFd AsFd
    FromRawFd IntoRawFd AsRawHandle AsHandle AsRawSocket AsSocket PinnedDrop Map List Set Collection Record Array
    Promise Function HashMap ArrayList LinkedHashMap AbstractList AbstractMap Base Parent Test ParameterizedType Type
    InvocationHandler
"""
_STANDARD_NAMES = {
    "snake": "function snake_case  method snake_case  class PascalCase  type PascalCase  constant UPPER_CASE"
    "  interface PascalCase  enum PascalCase",
    "camel": "function camelCase  method camelCase  class PascalCase  type PascalCase  interface PascalCase"
    "  enum PascalCase",
    "java": "function camelCase  method camelCase  class PascalCase  type PascalCase  interface PascalCase"
    "  enum PascalCase  constant UPPER_CASE",
    "constructors": "function camelCase  method camelCase  method PascalCase  class PascalCase  type PascalCase"
    "  interface PascalCase  enum PascalCase  constant camelCase",
    "addresses": "class snake_case  constant snake_case",
    "pascal": "function PascalCase  method PascalCase  class PascalCase  type PascalCase  interface PascalCase"
    "  enum PascalCase  constant PascalCase",
    "go": "function camelCase  function PascalCase  method camelCase  method PascalCase  type PascalCase"
    "  type camelCase  constant PascalCase  constant camelCase  class PascalCase  class camelCase"
    "  interface PascalCase  interface camelCase",
}
_STANDARD_OF = {
    "python": "snake",
    "ruby": "snake",
    "elixir": "snake",
    "rust": "snake",
    "javascript": "camel",
    "typescript": "camel",
    "tsx": "camel",
    "java": "java",
    "kotlin": "java",
    "swift": "camel",
    "scala": "camel",
    "php": "java",
    "csharp": "pascal",
    "go": "go",
    "bash": "snake",
    "dart": "constructors",
    "haskell": "constructors",
    "terraform": "addresses",
}
_RAISED_NAMES = frozenset(_RAISED.split())
_BASE_NAMES = frozenset(_BASES.split())
_STANDARD = {style: frozenset(names.split("  ")) for style, names in _STANDARD_NAMES.items()}
_PLAIN_TESTS = frozenset(
    {"test @Test", "test #[test]", "fixture @pytest.fixture", "parametrize @pytest.mark.parametrize"}
    | {"case it", "case test", "group describe", "group group"}
)
_PLAIN_TESTS_OF = frozenset({("go", "test function")})


def is_common(language: str, family: ShapeFamily, key: str) -> bool:
    """Whether a structure is a matter of course in its language, by the family's own keys."""
    if family is ShapeFamily.CLASS_FAMILY:
        return key in _BASE_NAMES or key in _RAISED_NAMES
    if family is ShapeFamily.NAMING:
        return _common_name(language, key)
    return family is ShapeFamily.TEST and (key in _PLAIN_TESTS or (language, key) in _PLAIN_TESTS_OF)


def _common_name(language: str, key: str) -> bool:
    """Names as the language's style guide has them; file names are a habit, `_name` has no rival."""
    if key.startswith(("file ", "private ")):
        return True
    return key in _STANDARD.get(_STANDARD_OF.get(language, ""), frozenset())
