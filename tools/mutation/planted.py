"""Small errors that can be planted in a Python source, each a change of one place in its text."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
# Words for people, and what only a type checker reads: no test should hang on them.
_SPOKEN = {
    "say",
    "say_as",
    "say_count",
    "mark",
    "print",
    "echo",
    "exception",
    "need",
    "cast",
    "Option",
}
_ABOUT = {"help", "about", "description", "title", "metavar"}
# What guards against errors of our own alone, what only a GPU would show, and how thick and large
# the parts of a plot are.
_UNSEEN = {"strict", "device", "stream", "dpi", "capsize", "markersize", "fontsize", "linewidth"}
_SWITCHES = (ast.IfExp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.Attribute, ast.Constant)
_COMPOUND = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)


@dataclass(frozen=True)
class Mutant:
    """A change of the text between two places of a source, and the lines of its statement."""

    line: int
    column: int  # in bytes, as is the end
    end_line: int
    end_column: int
    was: str
    now: str
    first: int  # line of the statement, or of the head of a compound one
    last: int
    is_inside: bool  # a function: other statements run when their module is imported

    def apply(self, source: str) -> str:
        """The source with this error planted."""
        lines = [line.encode() for line in source.splitlines(keepends=True)]
        head = b"".join(lines[: self.line - 1]) + lines[self.line - 1][: self.column]
        tail = lines[self.end_line - 1][self.end_column :] + b"".join(lines[self.end_line :])
        return (head + self.now.encode() + tail).decode()


def mutants_of(source: str) -> Iterator[Mutant]:
    """All errors that can be planted in a source.

    >>> for each in mutants_of("def f(x: int) -> bool:\\n    return x > 3\\n"):
    ...     print(f"{each.was} -> {each.now}")
    return x > 3 -> return None
    x > 3 -> x >= 3
    x > 3 -> x < 3
    3 -> 4
    """
    tree = ast.parse(source)
    functions = [
        each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    inside = {
        id(each) for function in functions for each in ast.walk(function) if each is not function
    }
    for statement, node in _places(tree):
        was = ast.get_source_segment(source, node) or ""
        for changed in _changes(node, statement):
            now = changed if isinstance(changed, str) else ast.unparse(changed)
            # An operator inside another one may need parentheses, and never minds them.
            now = f"({now})" if isinstance(node, ast.BinOp | ast.BoolOp | ast.UnaryOp) else now
            span = (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
            yield Mutant(*span, was, now, *_head(statement), id(statement) in inside)


def _head(statement: ast.stmt) -> tuple[int, int]:
    last = statement.end_lineno or statement.lineno
    if isinstance(statement, _COMPOUND):
        last = max(statement.lineno, statement.body[0].lineno - 1)
    return statement.lineno, last


def _places(tree: ast.Module) -> Iterator[tuple[ast.stmt, ast.stmt | ast.expr]]:
    """Statements and expressions that may be changed, each with the statement it is in."""
    for statement in ast.walk(tree):
        if isinstance(statement, ast.stmt) and not _is_left_alone(statement):
            yield statement, statement
            for node in _expressions(statement):
                yield statement, node


def _is_left_alone(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Import | ast.ImportFrom | ast.Assert | ast.Pass | ast.ClassDef):
        return True
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return True  # a docstring, or `...`
    if isinstance(statement, ast.If):
        return ast.unparse(statement.test) in ("TYPE_CHECKING", "__name__ == '__main__'")
    if not isinstance(statement, ast.Assign):
        return False
    is_type = isinstance(statement.value, ast.Call) and _called(statement.value) == "TypeVar"
    return is_type or ast.unparse(statement.targets[0]) == "__all__"


def _expressions(parent: ast.AST) -> Iterator[ast.expr]:
    """The expressions of a statement, without those of statements in it, types and messages."""
    if isinstance(parent, ast.JoinedStr):
        return  # its parts have no places of their own
    words = isinstance(parent, ast.Raise) or (isinstance(parent, ast.Call) and _is_spoken(parent))
    for name, value in ast.iter_fields(parent):
        if name in ("annotation", "returns", "decorator_list", "type_params", "msg"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.keyword) and child.arg in _ABOUT | _UNSEEN:
                continue
            if isinstance(child, _SWITCHES) and _is_of_gpu(child):
                continue
            if isinstance(child, ast.stmt | ast.Load | ast.Store) or not isinstance(child, ast.AST):
                continue
            if isinstance(child, ast.Constant) and isinstance(child.value, str) and words:
                continue
            if isinstance(child, ast.expr):
                yield child
            if isinstance(parent, ast.Raise) and isinstance(child, ast.Call):
                for argument in child.args:
                    if not _is_text(argument):
                        yield argument
                        yield from _expressions(argument)
            else:
                yield from _expressions(child)


def _called(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _is_spoken(call: ast.Call) -> bool:
    return _called(call) in _SPOKEN


def _is_of_gpu(node: ast.AST) -> bool:
    """Whether something is about being on a GPU: no test gets there without one."""
    return any(
        (isinstance(each, ast.Attribute) and each.attr == "on_gpu")
        or (isinstance(each, ast.Constant) and each.value == "cuda")
        for each in ast.walk(node)
    )


def _is_text(node: ast.expr) -> bool:
    is_words = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_words or isinstance(node, ast.JoinedStr)


def _changes(node: ast.stmt | ast.expr, statement: ast.stmt) -> Iterator[str | ast.AST]:
    """What may stand in place of a statement or an expression."""
    if isinstance(statement, ast.If | ast.While) and node is statement.test:
        yield "False"
        yield from () if isinstance(statement, ast.While) else ("True",)
        yield ast.UnaryOp(ast.Not(), node)
    match node:
        case ast.Expr(ast.Call() | ast.Await()) | ast.Raise() | ast.Delete():
            yield "pass"
        case ast.Continue() | ast.Break() | ast.Assign([ast.Attribute() | ast.Subscript()]):
            yield "pass"
        case ast.Return(ast.expr() as value) if ast.unparse(value) != "None":
            yield "return None"
        case ast.AugAssign(target, operator, value):
            yield "pass"
            yield ast.AugAssign(target, _COUNTED[type(operator)](), value)
        case ast.IfExp(_, body, otherwise):
            yield body
            yield otherwise
        case ast.Compare(left, [operator], right):
            for other in _COMPARED[type(operator)]:
                yield ast.Compare(left, [other()], right)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            yield values[0]
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.BinOp(left, operator, right) if type(operator) in _COUNTED:
            yield ast.BinOp(left, _COUNTED[type(operator)](), right)
        case ast.Call(function, arguments, keywords):
            if len(arguments) > 1:
                yield ast.Call(function, arguments[:-1], keywords)
            if keywords and keywords[-1].arg not in _UNSEEN:
                yield ast.Call(function, arguments, keywords[:-1])
        case ast.Constant(value):
            yield from _other_values(value)


def _other_values(value: object) -> Iterator[str]:
    if isinstance(value, bool):
        yield str(not value)
    elif isinstance(value, int | float):
        yield repr(value + 1 if value + 1 != value else value / 2)
    elif isinstance(value, str | bytes) and value:
        yield repr(value[:0])
        yield repr(value + ("x" if isinstance(value, str) else b"x"))
