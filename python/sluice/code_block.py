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

    @property
    def as_string(self):
        """The text."""
        return str(self)


def code_property(plain):
    """The same property with texts as CodeBlock."""
    def read(self):
        value = plain.fget(self)
        return CodeBlock(value) if isinstance(value, str) else value
    return property(read, plain.fset, doc=plain.__doc__)
