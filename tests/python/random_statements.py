"""Statements of random_programs.py that are more than one line of arrays: lists and tuples, dictionaries and sets, operands that Python leaves
alone, views that the run chooses, returns and loops with several ends, bytes."""


def indented(text, by="    "):
    return "\n".join(by + line for line in text.split("\n"))


def of_tuples(w):
    """Loops over tuples, lists of tuples, tuples that are compared."""
    l, v, e, n = w.name("l") if "l" in w.known.values() else w.new("l"), w.name("v"), w.number(1), w.new("n")
    p = f"e{next(w.fresh)}"
    literal = w.pick("(1, 2, 3)", "(k, j)", "(-1, 0, 1)", f"({e}, s)", "[2, 1, 0]", "((0, 1), (1, 0))")
    pair = "((" in literal
    item, value = ("x, y", "x + y") if pair else ("x", "x")
    ends = w.pick("", f"    if {value} > {w.pick('1', 'k', 's')}:\n        {w.pick('break', 'continue')}\n")
    made = f"{l} = []\nfor {item} in {literal}:\n{ends}    {l}.append({value} * {w.pick('1.0', 's', e)})"
    pairs = f"{p} = []\nfor i, x in enumerate({v}):\n    if x > {w.number(2)}:\n        {p}.append((i, x))"
    read = w.pick(f"{n} = len({p})", f"for i, x in {p}:\n    {v}[i] += x", f"{n} = sum(x for i, x in {p})", f"if {p}:\n    {n} = {p}[-1][0]\nelse:\n    {n} = -1", f"{n} = 1 if (len({p}), k) < (2, j) else 0")
    compared = w.pick(f"{n} = 1.0 if (k, s) < (j, {e}) else 2.0", f"{n} = int((k, j) == (1, 2))", f"if (k, {v}[0]) >= (1, s):\n    {v}[1] = 3.0", f"{n} = max((k, s), (j, {e}))[1]")
    nested = f"for q in range({w.pick('k', 'j', '3')}):\n    for x in {w.pick('(0, 1)', '(j, k, 1)', '[-1, 1]')}:\n{indented(w.pick('if x == q:' + chr(10) + '    continue', 'if x > q:' + chr(10) + '    break', 'pass'), '        ')}\n        {v}[(q + x) % N] += x"
    w.known[l] = "l"
    return [made, made, f"{pairs}\n{read}", f"{pairs}\n{read}", compared, nested]


def of_operands(w):
    """Elements and quotients that only a condition makes valid."""
    v, n, i = w.name("v"), w.new("n"), w.pick("i + 1", "i - 1 + k", "i + j", "2 * i")
    body = w.pick(f"{v}[i] = {v}[i] * 0.5 + ({v}[{i}] if {i} < len({v}) else 0.0)", f"{v}[i] = 1.0 / I[i] if I[i] != 0 else 0.0", f"{n} += {v}[{i}] if {i} < N else s", f"if {i} < N and {v}[{i}] > {w.number(2)}:\n    {n} += 1.0",
                  f"if {i} >= N or {v}[{i}] < 0:\n    {n} -= 1", f"{n} = max({n}, {v}[{i}]) if {i} < N else {n}", f"if {i} < N:\n    {v}[{i}] = {v}[i] + {n}", f"if not (i > 0 and {v}[i - 1] < {v}[i]):\n    {n} += i")
    once = w.pick(f"{n} = {v}[k + 5] if k + 5 < len({v}) else -1.0", f"{n} = 1 // k if k else 0", f"{n} = (k and 7 // k) or j", f"{n} = {v}[9 * k] if k < 1 else s", f"{n} = {v}[k] / s if s > 0.5 else ({v}[20] if k > 9 else 2.0)")
    return [f"{n} = 0.0\nfor i in range(N):\n{indented(body)}"] * 3 + [once]


def of_tables(w):
    """Dictionaries and sets with keys of the run."""
    d, v, n, l = f"t{next(w.fresh)}", w.name("v"), w.new("n"), w.new("l")
    key = w.pick("x", "x % 3", "int(x) // 2", "(x, x % 2)", "abs(x)")
    made = w.pick(f"{d} = {{}}\nfor x in I:\n    {d}[{key}] = {d}.get({key}, 0) + 1", f"{d} = {{}}\nfor i, x in enumerate(I):\n    if {key} not in {d}:\n        {d}[{key}] = {v}[i]\n    else:\n        {d}[{key}] += {v}[i]",
                  f"{d} = {{}}\nfor i in range(N):\n    x = I[i]\n    {d}[{key}] = {w.pick('i', f'{v}[i]', 's', 'i * 2')}")
    read = w.pick(f"{n} = len({d})", f"for q, y in {d}.items():\n    {v}[0] += y", f"{n} = sum({d}.values())", f"{n} = max({d}.values())", f"{l} = [y for y in {d}.values()]\n{n} = len({l})", f"if {w.pick('2', '(1, 1)') if '(x' in key else 'k'} in {d}:\n    {n} = 1.0\nelse:\n    {n} = 2.0",
                  f"{n} = 0\nfor q in {d}:\n    {n} += 1" if "(" in key else f"{n} = 0\nfor q in {d}:\n    {n} = {n} * 2 + q", f"{n} = {d}.get(k, -1)" if "(x" not in key else f"{n} = len({d}) + 1")
    chosen = f"seen{d} = set()\n{n} = 0\nfor x in {w.pick('I', 'J')}:\n    if {key} in seen{d}:\n        {w.pick('continue', f'{n} += 1', 'break')}\n    seen{d}.add({key})\n{v}[0] = len(seen{d})"
    return [f"{made}\n{read}"] * 3 + [chosen]


def of_orders(w):
    """sorted, min and max by a key."""
    v, l, n = w.name("v"), w.new("l"), w.new("n")
    by = w.pick("lambda i: A[i]", "lambda i: -B[i]", "lambda i: (I[i], i)", "lambda i: abs(A[i] - s)", "lambda i: (J[i] % 2, -A[i])")
    return [f"{l} = sorted(range(N), key={by})\n{n} = {l}[0] * 10 + {l}[-1]", f"{n} = {w.pick('min', 'max')}(range(N), key={by})", f"{l} = sorted({v}{w.pick('', ', reverse=True')})\n{v}[:len({l})] = {l}",
            f"{l} = [x for x in {v} if x > {w.number(2)}]\n{l}.sort({w.pick('', 'reverse=True', 'key=lambda x: -x', 'key=abs')})\n{n} = {l}[0] if {l} else 0.0",
            f"{l} = sorted(zip(I, {v}))\n{n} = {l}[0][1]" if w.random.random() < 0.3 else f"{l} = sorted([(I[i], i) for i in range(N)])\n{n} = {l}[{w.pick('0', '-1', 'k')}][1]"]


def of_rows(w):
    """Lists of lists."""
    g, v, n, e = f"g{next(w.fresh)}", w.name("v"), w.new("n"), w.number(2)
    size = w.pick("k", "j", "3", "N")
    made = w.pick(f"{g} = [[0.0] * {w.pick('2', 'j', '4')} for _ in range({size})]", f"{g} = [[i * 0.5 + q for q in range({w.pick('2', '3')})] for i in range({size})]", f"{g} = [[0] * 3 for _ in range({size})]")
    change = w.pick(f"for i in range({size}):\n    {g}[i][{w.pick('0', '-1', '1')}] {w.pick('=', '+=')} {w.pick('i', f'{v}[i % N]', 'i * s', '2')}", f"for row in {g}:\n    row[0] = {w.pick('k', 's', '1')}", f"if len({g}) > 1:\n    {g}[1][0] = {e}", f"for i in range(len({g})):\n    for q in range(len({g}[i])):\n        {g}[i][q] += i - q")
    read = w.pick(f"{n} = sum(sum(row) for row in {g})", f"{n} = 0.0\nfor row in {g}:\n    for x in row:\n        {n} += x", f"{n} = len({g})", f"if len({g}) > 0:\n    {v}[0] = {g}[-1][0]", f"for i in range(len({g})):\n    {v}[i] = {g}[i][1]")
    return [f"{made}\n{change}\n{read}"] * 2


def of_choices(w):
    """Views that the run chooses."""
    a, b, m, x, c = w.name("v"), w.name("v"), w.name("m"), w.new("v"), w.condition()
    part, other = w.bounds(), w.bounds()
    write = w.pick(f"{x}[0] = {w.number(2)}", f"{x} += 1.0", f"{x}[:] = {w.number(2)}", f"{x}[-1] *= 2.0", f"{x}[1:] = {x}[:-1]")
    return [f"{x} = {a} if {c} else {b}\n{write}", f"if {c}:\n    {x} = {a}[{part}]\nelse:\n    {x} = {b}[{other}]\n{write}", f"{x} = {m}[{w.pick('k', 'j', '-1', 'J[0]')}]\n{write}\n{a}[0] += {x}[0]", f"{x} = {m}[{w.pick('np.argmax(A)', 'np.argmin(B)', 'int(J[k])')}]\n{write}",
            f"{x} = {m}[0]\nfor i in range(1, N):\n    if {m}[i, 0] > {x}[0]:\n        {x} = {m}[i]\n{write}", f"{x} = {a}\nfor q in range({w.pick('k', '2')}):\n    {x} = {x}[{w.pick('1:', ':-1', '::-1')}]\n{write}", f"for {x} in ({a}, {b}):\n{indented(write)}",
            f"{x} = {a}[k:]\n{a}[k:] = {x}[::-1]\n{write}", f"{x}, y{x} = ({a}, {b}) if {c} else ({b}, {a})\n{write}\ny{x}[0] -= 1.0"]


def of_ends(w):
    """Returns in the middle, loops that break or run to their end."""
    v, n, c, bound = w.name("v"), w.new("n"), w.condition(), w.number(2)
    value = w.pick(n, f"{v}[i]", "i", "s", "1.0")
    loop = w.pick("for i in range(N):", f"for i, x in enumerate({v}):", f"for i in range({w.pick('k', 'j', '3')}):", "for i in (0, 2, 1):", "for i in I:")
    body = w.pick(f"if {v}[i] > {bound}:\n    {n} = {value}\n    break", f"if {v}[i] < {bound}:\n    continue\n{n} += {value}", f"{n} += {v}[i]\nif {n} > {bound}:\n    break", f"if i > k:\n    break\n{v}[i] = {n}\n{n} = {n} + 1.0", f"while {n} < i:\n    {n} += 1.0\n    if {n} > j:\n        break\nelse:\n    {n} -= 0.5")
    last = w.pick("", f"\nelse:\n    {n} {w.pick('=', '+=', '-=')} {w.pick('100.0', 's', 'k')}")
    wh = f"{n} = {w.pick('0', 'k', '0.0')}\nq = 0\nwhile {w.pick(f'q < N', f'{n} < 5 and q < 9', 'True')}:\n    q += 1\n    if q > {w.pick('4', 'k + 2', 'j')}:\n        break\n    if {v}[q % N] < {w.pick('0', 's')}:\n        continue\n    {n} += {w.pick('1', 'q', f'{v}[q % N]')}{last}"
    early = f"if {c}:\n    return {w.pick(n, v, '1', f'{v}, k', 'None', f'{v}[0], {v}[1:]')}" if w.random.random() < 0.4 else f"for i in range(N):\n    if {v}[i] > {w.pick('3.5', 's + 2', bound)}:\n        return {w.pick('i', f'{v}[i]', f'i, {v}[i]', f'{v}[:i]')}"
    return [f"{n} = {w.pick('0.0', '1.0', 's')}\n{loop}\n{indented(body)}{last}"] * 3 + [wh, wh, f"{n} = 0.5\n{early}"]


def of_bytes(w):
    """Arithmetic of bytes, beside Python's integers and other types."""
    u, n = w.name("u") if "u" in w.known.values() else "U", w.new("n")
    x, p = w.pick("U", u, "U[::-1]", "U[k:]", "U[k]", f"{u}[0]", "np.int8(j)", "U[1:] - U[:-1]"), w.pick("k", "j", "-k", "1", "97", "200", "k - 1", "k * 100", "255", "I", "X", "s", "np.int32(3)", "True", "len(A)")
    r = w.new("u")
    return [f"{r} = {x} {w.pick('+', '-', '*', '//', '%', '&', '|', '^', '/', '<<', '>>', '**')} {p}", f"{r} = {p} {w.pick('+', '-', '*')} {x}", f"{r} = ({x} {w.pick('<', '>', '==', '>=')} {p}) * 1", f"for i in range(N):\n    U[i] = (U[i] {w.pick('-', '+', '*')} {w.pick('97', 'k', 'j', '3')}) % {w.pick('26', '7', 'j')} + {w.pick('k', '97', '1')}",
            f"{n} = 0\nfor x in U:\n    {n} {w.pick('+=', '-=', '^=', '|=')} {w.pick('int(x)', 'x > 100', 'int(x) % 7', 'int(x) * j')}", f"U[{w.pick('0', 'k', ':', '1:', 'U > 100')}] {w.pick('=', '+=', '-=', '*=')} {w.pick('k', 'j', '3', '-k', 'k * 90', '7')}", f"{r} = np.{w.pick('sum', 'max', 'cumsum', 'sort', 'mean', 'prod')}({u})", f"{r} = np.{w.pick('maximum', 'minimum', 'add', 'subtract')}(U, {w.pick('k', 'j', '100', 'I', 'U[::-1]')})",
            f"{r} = np.{w.pick('clip(U, k, 100)', 'where(U > 100, U, 0)', 'abs(U - 100)', 'diff(U)', 'bincount(U % 4)', 'unique(U)', 'concatenate((U, I))')}", f"{r} = ~U", f"{r} = -U", f"{r} = U.astype(np.{w.pick('int8', 'float32', 'int64', 'uint16', 'bool')})", f"{n} = int(U[k]) - int(U[0])", f"{n} = U[k] - U[0]"]


def of_comprehensions(w):
    """Comprehensions over calls."""
    v, x, n = w.name("v"), w.new("v"), w.new("n")
    call = w.pick("np.roll({0}, q)", "scaled({0}, q)", "{0} * q", "signed({0}, q)", "np.cumsum({0}) - q", "smoothed({0}, q)", "np.sort({0}) + q", "np.where({0} > q, {0}, q)", "np.abs({0} - q)").format(v)
    over = w.pick("(-1, 0, 1)", "range(3)", "(k, j)", "range(k)", "[1, 2]", "range(1, j + 1)")
    return [f"{x} = sum({call} for q in {over})", f"{x} = np.array([{call} for q in {w.pick('(-1, 0, 1)', 'range(3)', '(k, j)')}])[{w.pick('0', '-1', '1')}]", f"{n} = max(({call})[0] for q in {w.pick('(1, 2)', 'range(3)')})", f"{n} = sum(total_and_half({v})[0] * q for q in {over})",
            f"rows{x} = [{call} for q in {w.pick('(-1, 2)', 'range(2)')}]\nrows{x}[0][0] = {w.number(2)}\n{x} = rows{x}[1] + rows{x}[0]", f"{n} = any(({call})[0] > {w.number(2)} for q in {over})", f"{x} = np.array([({call})[{w.pick('0', 'k')}] for q in range(N)])", f"{n} = sum([x * 2 for x in {v} if x > 0]) + len([x for x in {v} if x < {w.number(2)}])"]


def of_bounds(w):
    """Loops and slices whose bounds, steps and indices numbers of the call decide: some leave the array."""
    v, u, m, n, x = w.name("v"), w.name("v"), w.name("m"), w.new("n"), w.new("v")
    end = w.pick("N", "k", "j", "k + 3", "2 * j", "N - k", "N + k - 2", "k * j")
    i = w.pick("i", "i + k", "i - k", "k - i", "i - 1", "i + 1", "2 * i", "i + j - 2", "-i", "i // 2", "i % N", "(i + k) % N", "N - 1 - i", "J[i]", "J[i] + k", "J[J[i]] - j", "U[i] % 9", "int(I[i])")
    head = w.pick(f"for i in range({end}):", f"for i in range(k, {end}):", f"for i in range({end} - 1, -1, -1):", f"for i in range(0, {end}, {w.pick('2', 'j')}):", f"for i, y in enumerate({v}):")
    body = w.pick(f"{n} += {u}[{i}]", f"{u}[{i}] = {n}", f"{u}[{i}] += {v}[i]", f"if i < {w.pick('j', '4')}:\n    {n} += {u}[{i}]", f"for q in range({w.pick('M', 'k', 'i', 'j')}):\n    {n} += {m}[{i}, q]", f"for q in range({w.pick('i', '2')}):\n    {u}[q] = {v}[{i}]",
                  f"{n} = max({n}, {u}[{i}] - {u}[i])", f"if {u}[{i}] > 3:\n    break\n{n} += 1", f"{m}[{i}, 1:] = {u}[{w.pick('0', 'k')}]", f"{n} += {u}[{i}:].sum()",
                  f"p = J[i] + k\nif {v}[i] > 0:\n    {n} += {u}[p]", f"for q in range(J[i], J[i] + j):\n    {n} += {u}[q]", f"if J[i] > {w.pick('2', 'k')}:\n    {u}[{i}] += 1.0\nelse:\n    {n} -= {u}[i]", f"{n} += {m}[{i}].sum()", f"{u}[J + {w.pick('k', '0')}] += {v}[i]",
                  f"q = {w.pick('i', '0')}\nwhile {u}[q] < {w.pick('3', 's')}:\n    q += 1\n{n} += q")
    while_ = f"{n} = 0\nwhile {w.pick(f'{n} < k + 4', f'{n} < N and {v}[{n}] > -9', f'{v}[{n}] < s + 2')}:\n    {u}[{w.pick(n, f'{n} + k - 1')}] {w.pick('=', '+=')} 1.0\n    {n} += 1"
    by = w.pick("J", "J + k - 1", "J * j - N", "J[:k]", "I", "np.array([0, k, -j])", "[k, 1]", "J[J > 2]")
    part = f"{w.pick('', 'k', '-j', 'j - 3')}:{w.pick('', 'N - k', '-1', 'j', '20')}:{w.pick('k - 1', 'k - 2', '-j', '2 - j', 'j')}"
    return [f"{n} = 0.0\n{head}\n{indented(body)}"] * 4 + [while_, f"{x} = {v}[{by}] * 2.0", f"{v}[{by}] {w.pick('=', '+=')} {w.number(2)}", f"{x} = {v}[{part}] + 1.0", f"{v}[{part}] {w.pick('=', '*=')} {w.number(2)}", f"{x} = {m}[{w.pick('k', ':', '0')}, ::{w.pick('k - 2', '1 - j')}].sum() + {v}", f"{n} = {v}[{w.pick('k + 3', 'j - 9', '3 * k', 'J[k] + j')}]"]


def of_types(w):
    """Numbers whose type the path decides."""
    v, n, c = w.pick(w.name("v"), "X", "I", "J"), w.new("n"), w.condition()
    first, other = w.pick("0", "1", "0.0", "2.5", "True", "s", "k", f"{v}[0]", "-1"), w.pick("0", "0.5", "k / 2", f"{v}[k]", "s", "2 * k", "k > 1", f"{v}.sum()")
    end = w.pick("N", "k", "j - 1", "k * (j - 1)", "len(A[k:j])")
    loop = w.pick(f"for x in {v}[k:]:", f"for i in range({end}):\n    x = {v}[i % N]", f"for i in range({end}):\n    for x in {v}[:{w.pick('k', '2')}]:", f"for x in {v}:")
    deeper = "        " if loop.count("for") > 1 else "    "
    body = w.pick(f"{n} += x", f"{n} = x", f"if x > {w.number(2)}:\n    {n} = x", f"if x > {n}:\n    {n} = x", f"{n} = max({n}, x)", f"{n} = x if x < {n} else {n}", f"if x < 0:\n    continue\n{n} = {n} * 2 + x", f"{n} = {n} + 1", f"{n} = {n} / 2")
    wh = f"{n} = {first}\nq = 0\nwhile q < {w.pick('k', 'j', '0')}:\n    {n} {w.pick('=', '+=')} {w.pick(f'{v}[q]', '0.5', 'q', '1')}\n    q += 1"
    early = f"if {c}:\n    return {w.pick(other, f'{first} if {w.condition()} else {other}', f'max({first}, {other})', f'min({first}, {other}, k)', f'{first}, {other}')}"
    return [f"{n} = {first}\n{loop}\n{indented(body, deeper)}"] * 4 + [f"if {c}:\n    {n} = {first}\nelse:\n    {n} = {other}", f"{n} = {first}\nif {c}:\n    {n} = {other}", f"{n} = {first} if {c} else {other}", f"{n} = {w.pick('max', 'min')}({first}, {other})", wh, early, early]


MORE = {"bounds": of_bounds, "types": of_types, "tuples": of_tuples, "operands": of_operands, "tables": of_tables, "orders": of_orders, "rows": of_rows, "choices": of_choices, "ends": of_ends, "bytes": of_bytes,
        "comprehensions": of_comprehensions}
