"""DaCe's automatic optimiser."""
