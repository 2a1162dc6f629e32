"""Where DaCe had `passes.pattern_matching` before."""
from .passes.pattern_matching import match_patterns  # noqa: F401
