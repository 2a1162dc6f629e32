"""The text of conditions, statements and tasklets: a str that also answers what DaCe asks of its code blocks."""


class CodeBlock(str):
    """Text of code. `as_string` is the text itself.

    language: Python, in which conditions are written; raises ValueError for another one, which is said where a tasklet is made.
    """

    def __new__(cls, code="", language=None):
        name = getattr(language, "name", language)
        if name not in (None, "Python"):
            raise ValueError(f"a CodeBlock is Python, not {name}: give the text and language={name!r} to add_tasklet")
        return super().__new__(cls, code)

    _keep = None

    @property
    def as_string(self):
        """The text. Assigned to, the element that it was read from has another one."""
        return str(self)

    @as_string.setter
    def as_string(self, text):
        if self._keep is None:
            raise AttributeError("this text belongs to no element of a graph: make another CodeBlock")
        self._keep(text)


def code_property(plain):
    """The same property with texts as CodeBlock."""
    def read(self):
        value = plain.fget(self)
        if not isinstance(value, str):
            return value
        block = CodeBlock(value)
        block._keep = lambda text: plain.fset(self, text)
        return block
    return property(read, plain.fset, doc=plain.__doc__)
