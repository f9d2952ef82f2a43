"""Structures that any project of a language has: alone they say nothing of this one."""

from __future__ import annotations

import re

from companion.records import ShapeFamily

_DECORATORS = """
    property staticmethod classmethod abstractmethod abc.abstractmethod overload typing.overload t.overload te.overload
    dataclass dataclasses.dataclass override typing.override final contextmanager contextlib.contextmanager
    asynccontextmanager contextlib.asynccontextmanager wraps functools.wraps lru_cache functools.lru_cache cache
    functools.cache cached_property functools.cached_property total_ordering functools.total_ordering
    pytest.fixture pytest.mark.parametrize fixture parametrize functools.partial setter getter deleter unittest.skip runtime_checkable typing.runtime_checkable
    typing.final t.final typing.no_type_check no_type_check unique enum.unique

    Override Test Deprecated SuppressWarnings FunctionalInterface SafeVarargs Nullable NotNull NonNull
    CanIgnoreReturnValue
    Before After BeforeEach AfterEach BeforeClass AfterClass Ignore RunWith ParameterizedTest DisplayName

    derive test cfg inline allow doc must_use non_exhaustive deprecated cfg_attr track_caller cold warn deny repr
    should_panic ignore default macro_export automatically_derived no_mangle stable unstable rustfmt::skip

    Attribute ReturnTypeWillChange \\\\ReturnTypeWillChange SensitiveParameter Pure Fact Theory Obsolete Serializable
    TestMethod Flags AttributeUsage Theory InlineData
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
    ArgumentNullException InvalidOperationException NotSupportedException ArgumentException e err error ex exc self
"""
_BASES = """
    object Exception BaseException ValueError TypeError RuntimeError KeyError Error Enum IntEnum StrEnum Flag ABC
    Protocol Generic NamedTuple TypedDict dict list str int tuple set TestCase unittest.TestCase abc.ABC typing.Protocol
    t.Protocol typing.NamedTuple t.NamedTuple typing.TypedDict t.TypedDict typing.Generic t.Generic enum.Enum
    threading.Thread Thread type RuntimeException Serializable Cloneable Comparable Iterator Iterable Runnable Closeable
    AutoCloseable Callable Throwable StandardError Struct Object Debug Clone Default Display From Into Drop Future Send
    Sync Unpin Iterator Deref DerefMut AsRef Hash PartialEq Eq Ord PartialOrd Countable ArrayAccess IteratorAggregate
    JsonSerializable Stringable Traversable IDisposable IEnumerable IEquatable Attribute EventArgs fmt::Debug
    fmt::Display
    FusedIterator UnwindSafe RefUnwindSafe
"""
_DECORATOR_NAMES = frozenset(_DECORATORS.split())
_RAISED_NAMES = frozenset(_RAISED.split())
_BASE_NAMES = frozenset(_BASES.split())
_SEPARATORS = re.compile(r"[\s,|()]+")


def is_common(language: str, family: ShapeFamily, key: str) -> bool:
    """Whether a structure is a matter of course in its language.

    Naming is so wherever a language's own style guide settles it; a bare `except` or `if err != nil`
    is; so are the language's own exceptions, decorators, attributes and base classes.
    """
    names = [name for name in _SEPARATORS.split(key.strip("@#[]")) if name]
    if family is ShapeFamily.DECORATOR:
        return bool(names) and (names[0] in _DECORATOR_NAMES or names[0].rpartition(".")[2] in {"setter", "getter"})
    if family is ShapeFamily.CLASS_FAMILY:
        return all(name in _BASE_NAMES for name in names)
    if family is ShapeFamily.ERROR_HANDLING:
        told = [name for name in names if name not in _VERBS]
        return all(name in _RAISED_NAMES for name in told)
    return family is ShapeFamily.NAMING and language in _STYLED


_VERBS = frozenset(
    {"raise", "except", "catch", "throw", "rescue", "return", "if", "err", "!=", "nil", "panic", "new", "?"}
)
_STYLED = frozenset({"python", "go", "rust", "java", "kotlin", "swift", "csharp"})
