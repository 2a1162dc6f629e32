"""DaCe's reverse mode: not built here. Files that import its names load; using them says so."""


def add_backward_pass(*_, **__):
    """Raises NotImplementedError."""
    raise NotImplementedError("Sluice does not differentiate programs: write the gradient, or use DaCe for it")


BackwardPassGenerator = add_backward_pass
