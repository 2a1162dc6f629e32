"""What the decorator makes."""
from sluice import Program as DaceProgram, program
