"""DaCe's properties: attributes of a class with a type and a default, which transformations and library nodes of users declare."""
from sluice import _core
from sluice.code_block import CodeBlock
from sluice.subsets import Range


class Property:
    """An attribute: values are converted by `dtype`, or by what a subclass does; others than `choices` are refused. What says how a value is
    shown and saved is kept in `presentation` for tools that ask: values are kept in the graph as they are."""

    def __init__(self, getter=None, setter=None, dtype=None, default=None, from_string=None, to_string=None, desc="", allow_none=None,
                 choices=None, category="General", indirected=False, optional=False, serialize_if=None):
        self.getter, self.setter, self.dtype, self.default = getter, setter, dtype, default
        self.desc, self.category, self.choices = desc, category, choices
        self.presentation = dict(from_string=from_string, to_string=to_string, indirected=indirected, optional=optional, serialize_if=serialize_if)
        self.allow_none = default is None if allow_none is None else allow_none

    def __call__(self, getter):
        """As a decorator: the method computes the value."""
        self.getter = getter
        return self

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.getter is not None:
            return self.getter(instance)
        if f"_{self.name}" not in vars(instance):  # a value of its own: it may be changed
            vars(instance)[f"_{self.name}"] = self.first()
        return vars(instance)[f"_{self.name}"]

    def __set__(self, instance, value):
        if value is None and not self.allow_none:
            raise ValueError(f"{self.name} cannot be None")
        if value is not None:
            value = self.converted(value)
            choices = getattr(self.choices, "__members__", self.choices)
            if choices is not None and getattr(value, "name", value) not in choices and value not in choices:
                raise ValueError(f"{self.name} is one of {', '.join(map(str, choices))}, not {value}")
        if self.setter is not None:
            self.setter(instance, value)
        else:
            vars(instance)[f"_{self.name}"] = value

    def first(self):
        """The default."""
        return self.default

    def converted(self, value):
        """The value in the property's type. Raises TypeError where there is none."""
        if self.dtype is None or isinstance(value, self.dtype):
            return value
        try:
            return self.dtype(value)
        except (TypeError, ValueError):
            raise TypeError(f"{getattr(self, 'name', 'the property')} is of type {self.dtype.__name__}, not {type(value).__name__}") from None


class ListProperty(Property):
    """A list of elements of a type."""
    kind = list

    def __init__(self, element_type=None, default=None, allow_none=False, **options):
        super().__init__(default=default, allow_none=allow_none, **options)
        self.element_type = element_type

    def first(self):
        return None if self.default is None and self.allow_none else self.kind(self.default or ())

    def converted(self, value):
        return self.kind(map(self.element_type, value) if self.element_type else value)


class SetProperty(ListProperty):
    """A set of elements of a type."""
    kind = set


class DictProperty(ListProperty):
    """A dictionary of keys and values of two types."""
    kind = dict

    def __init__(self, key_type=None, value_type=None, **options):
        super().__init__(**options)
        self.key_type, self.value_type = key_type or (lambda key: key), value_type or (lambda value: value)

    def converted(self, value):
        return {self.key_type(name): one if one is None else self.value_type(one) for name, one in dict(value).items()}


OrderedDictProperty = DictProperty


class EnumProperty(Property):
    """A member of an enumeration, or its name."""

    def __init__(self, dtype, default=None, **options):
        super().__init__(dtype=dtype, default=default, choices=dtype, **options)

    def converted(self, value):
        return self.dtype[value] if isinstance(value, str) and value in self.dtype.__members__ else super().converted(value)


class ShapeProperty(Property):
    """A tuple of sizes."""

    def converted(self, value):
        return tuple(value)


class SymbolicProperty(Property):
    """A number or an expression."""

    def converted(self, value):
        return value if isinstance(value, (int, float, _core.Expr)) else _core.Expr(str(value))

    @staticmethod
    def from_string(text):
        """The expression of a text."""
        return _core.Expr(text)

    to_string = staticmethod(str)


class CodeProperty(Property):
    """Text of code."""

    def converted(self, value):
        return value if isinstance(value, CodeBlock) else CodeBlock(str(value))

    @staticmethod
    def from_string(text, language=None):
        """The code block of a text."""
        return CodeBlock(text, language)

    @staticmethod
    def to_string(block):
        """The text of a code block."""
        return str(block)


class LambdaProperty(CodeProperty):
    """Text of a lambda function."""


class SubsetProperty(Property):
    """A subset of a container."""

    def converted(self, value):
        return value if isinstance(value, Range) else Range.from_string(str(value))

    @staticmethod
    def from_string(text):
        """The subset of a text; None of an empty one."""
        return Range.from_string(text) if text else None

    to_string = staticmethod(str)


class RangeProperty(SubsetProperty):
    """A box."""


class DataProperty(Property):
    """Name of a container."""


class TypeClassProperty(Property):
    """An element type."""

    def converted(self, value):
        return value if isinstance(value, _core.typeclass) else getattr(_core, value) if isinstance(value, str) else super().converted(value)


class DebugInfoProperty(Property):
    """A place in a source."""


def properties_of(cls):
    """The properties of a class and of its bases, by name."""
    return {name: one for base in reversed(cls.__mro__) for name, one in vars(base).items() if isinstance(one, Property)}


def make_properties(cls):
    """Class decorator: `properties()` lists pairs of a property and its value; `__properties__` are those of the class."""
    cls.__properties__ = properties_of(cls)
    if "properties" not in vars(cls):
        cls.properties = lambda self: [(one, getattr(self, name)) for name, one in type(self).__properties__.items()]
    return cls


def indirect_property(cls, function, name, override):
    """Reads and writes of a property go to another object, function(self)."""
    setattr(cls, name, property(lambda self: getattr(function(self), name), lambda self, value: setattr(function(self), name, value)))


def indirect_properties(indirect_class, indirect_function, override=False):
    """Class decorator: the properties of a class of objects that function(self) gives are those of this class."""
    def mark(cls):
        for name in properties_of(indirect_class):
            indirect_property(cls, indirect_function, name, override)
        return cls
    return mark


def set_property_from_string(prop, obj, string, sdfg=None, from_json=False):
    """Assigns the value of a text to a property given by name or itself."""
    prop = properties_of(type(obj))[prop] if isinstance(prop, str) else prop
    setattr(obj, prop.name, prop.from_string(string) if hasattr(prop, "from_string") else prop.converted(string))
