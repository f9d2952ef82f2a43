"""Structures that any project of a language has: alone they say nothing of this one."""

from __future__ import annotations

from companion.records import ShapeFamily

_DECORATORS = """
    property staticmethod classmethod abstractmethod abc.abstractmethod overload typing.overload t.overload te.overload
    dataclass dataclasses.dataclass override typing.override final contextmanager contextlib.contextmanager
    asynccontextmanager contextlib.asynccontextmanager wraps functools.wraps lru_cache functools.lru_cache cache
    functools.cache cached_property functools.cached_property total_ordering functools.total_ordering unittest.skip
    pytest.mark.skipif pytest.mark.skip pytest.mark.xfail pytest.mark.usefixtures
    pytest.fixture pytest.mark.parametrize fixture parametrize functools.partial setter getter deleter t.final
    runtime_checkable typing.runtime_checkable typing.final typing.no_type_check no_type_check unique enum.unique

    Override Test Deprecated SuppressWarnings FunctionalInterface SafeVarargs Nullable NotNull NonNull
    CanIgnoreReturnValue Before After BeforeEach AfterEach BeforeClass AfterClass Ignore RunWith ParameterizedTest
    DisplayName Retention Target Documented Inherited Overload Rule SafeVarargs
    JvmStatic JvmField JvmName JvmOverloads JvmSuppressWildcards JvmInline Suppress Throws OptIn Volatile Transient
    Synchronized Composable

    derive test cfg inline allow doc must_use non_exhaustive deprecated cfg_attr track_caller cold warn deny repr
    should_panic ignore default macro_export automatically_derived no_mangle stable unstable rustfmt.skip pin_project
    expect forbid feature macro_use proc_macro tokio.test

    Attribute ReturnTypeWillChange SensitiveParameter Pure Fact Theory Obsolete Serializable TestMethod Flags
    AttributeUsage InlineData
"""
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
    GeneratorExit UnicodeError NotADirectoryError IsADirectoryError EOFError RecursionError Warning GeneratorExit
    NoSuchMethodException NoSuchFieldException IllegalAccessException InstantiationException
    ReflectiveOperationException
    ArithmeticException CloneNotSupportedException StackOverflowError UncheckedIOException EOFException
"""
_BASES = """
    object Enum IntEnum StrEnum Flag ABC Protocol Generic NamedTuple TypedDict dict list str int tuple set TestCase
    unittest.TestCase abc.ABC typing.Protocol t.Protocol typing.NamedTuple t.NamedTuple typing.TypedDict t.TypedDict
    typing.Generic t.Generic enum.Enum threading.Thread Thread type Serializable Cloneable Comparable Iterator Iterable
    Runnable Closeable AutoCloseable Callable Struct Object Debug Clone Default Display From Into Drop Future Send Sync
    Unpin Deref DerefMut AsRef Hash PartialEq Eq Ord PartialOrd Countable ArrayAccess IteratorAggregate Stringable
    JsonSerializable Traversable IDisposable IEnumerable IEquatable Attribute EventArgs fmt.Debug fmt.Display
    FusedIterator UnwindSafe RefUnwindSafe Copy Borrow AsMut Index IndexMut Extend FromIterator IntoIterator Add Sub
    TryFrom TryInto FromStr ToString Error std.error.Error error.Error Read Write Seek BufRead ops.Deref ops.DerefMut
    AsRawFd AsFd FromRawFd IntoRawFd AsRawHandle AsHandle AsRawSocket AsSocket PinnedDrop
    Map List Set Collection Record Array Promise Function HashMap ArrayList LinkedHashMap AbstractList AbstractMap
    PHPUnit.Framework.TestCase Base Parent Test Test.Unit.TestCase Minitest.Test ParameterizedType Type
    InvocationHandler
"""
_STANDARD_NAMES = {
    "snake": "function snake_case  method snake_case  class PascalCase  type PascalCase  constant UPPER_CASE"
    "  interface PascalCase  enum PascalCase",
    "camel": "function camelCase  method camelCase  class PascalCase  type PascalCase  interface PascalCase"
    "  enum PascalCase",
    "java": "function camelCase  method camelCase  class PascalCase  type PascalCase  interface PascalCase"
    "  enum PascalCase  constant UPPER_CASE",
    "pascal": "function PascalCase  method PascalCase  class PascalCase  type PascalCase  interface PascalCase"
    "  enum PascalCase  constant PascalCase",
    "go": "function camelCase  function PascalCase  method camelCase  method PascalCase  type PascalCase"
    "  type camelCase  constant PascalCase  constant camelCase  class PascalCase  interface PascalCase",
}
_STANDARD_OF = {
    "python": "snake",
    "ruby": "snake",
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
}
CATCHES = ("except", "catch", "rescue", "Err")
"""How the key of a handler begins."""
_DECORATOR_NAMES = frozenset(_DECORATORS.split())
_RAISED_NAMES = frozenset(_RAISED.split())
_BASE_NAMES = frozenset(_BASES.split())
_STANDARD = {style: frozenset(names.split("  ")) for style, names in _STANDARD_NAMES.items()}
_PLAIN_LOGS = frozenset({"via console", "via log", "via logger", "via logging", "via self.log", "via println!"})
_PLAIN_TESTS = frozenset(
    {"test @Test", "test #[test]", "fixture @pytest.fixture", "parametrize @pytest.mark.parametrize"}
)


def is_common(language: str, family: ShapeFamily, key: str) -> bool:
    """Whether a structure is a matter of course in its language, by the family's own keys."""
    if family is ShapeFamily.DECORATOR:
        return key in _DECORATOR_NAMES or key.rpartition(".")[2] in {"setter", "getter", "deleter"}
    if family is ShapeFamily.CLASS_FAMILY:
        return key in _BASE_NAMES or key in _RAISED_NAMES
    if family is ShapeFamily.ERROR_HANDLING:
        return _common_error(key)
    if family is ShapeFamily.NAMING:
        return _common_name(language, key)
    if family is ShapeFamily.LOGGING:
        return key in _PLAIN_LOGS
    return family is ShapeFamily.TEST and (key in _PLAIN_TESTS or (language == "go" and key == "test function"))


def _common_error(key: str) -> bool:
    """Catching what the language brings, bare handlers, exceptions of the language's own, and whatever is raised."""
    verb, _, names = key.rpartition(" of ") if key.startswith("class of ") else key.partition(" ")
    if verb not in {"class", *CATCHES}:
        return True
    return all(name.rpartition(".")[2] in _RAISED_NAMES for name in names.split(", ") if name)


def _common_name(language: str, key: str) -> bool:
    """Names as the language's style guide has them; file names are a habit, `_name` has no rival."""
    if key.startswith(("file ", "private ")):
        return True
    return key in _STANDARD.get(_STANDARD_OF.get(language, ""), frozenset())
