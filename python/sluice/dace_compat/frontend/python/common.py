"""Errors of the front end."""
from sluice import CompileError as DaceSyntaxError
