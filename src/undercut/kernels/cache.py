"""The cache of compiled kernels on disk: its folder, and the check of each entry.

Numba's own cache notices an edit only in the file that holds the function, so a kernel that
calls an edited kernel elsewhere would keep its old code. Here the cache folder has the name of a
digest of every source that may hold a kernel: edit the code of any and all are compiled again.
Comments, docstrings and blank lines do not count. Kernels of a game outside the package, and copies
of ours that are bound to them, have folders of their own, named after the sources of that game too.

Numba unpickles the files of its cache. So the folder must belong to the user, and nobody else may
write there. An entry that does not match its kernel is deleted and never run.
"""

import atexit
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import config
from numba.core import sigutils
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    UserProvidedCacheLocator,
)

from undercut.kernels.linking import LINKED
from undercut.text.errors import OptionsError

_Locator: Any = UserProvidedCacheLocator
_CompileResults: Any = CompileResultCacheImpl
_FunctionCache: Any = FunctionCache
_IndexDataCacheFile: Any = IndexDataCacheFile
_sigutils: Any = sigutils
_settings: Any = config

_PACKAGE = Path(__file__).parent.parent
# A newline finds the beginning of a line six times as fast as ^ does.
_DECLARES = re.compile(r"\n(@kernel|@cold_kernel|@hole|\w+: \w+ = hole_value)\b")
_IMPORTS = re.compile(r"\n *from (undercut[\w.]*) import (\([^)]*\)|.*)")
_STRING = r'"""(?s:.*?)"""|"(?:[^"\\\n]|\\.)*"' + r"|'(?:[^'\\\n]|\\.)*'"
_NO_CODE = re.compile(rf'\n\s*(?:r?"""(?s:.*?)"""|#.*)?(?=\n)|({_STRING})|#.*')
_KEEP_SECONDS = 30 * 24 * 3600
_CALLABLE = "callable"  # machine code with a Python wrapper
_OTHERS_WRITE = 0o022


class _KernelLocator(_Locator):  # type: ignore[misc]
    """The place of one kernel, in a folder that its declaration names."""

    def __init__(self, function: Callable[..., object], folder: Path) -> None:
        self._py_file = function.__code__.co_filename
        self._lineno = function.__code__.co_firstlineno
        self._cache_path = str(folder / self.get_suitable_cache_subpath(self._py_file))
        self._is_ours = self._py_file.startswith(str(_PACKAGE) + os.sep)

    def get_source_stamp(self) -> object:
        """The folder's name says which code it is, so the dates of our files do not matter."""
        return None if self._is_ours else super().get_source_stamp()

    def get_disambiguator(self) -> str:
        """Nor do line numbers: no file of ours has two kernels of one name."""
        return "" if self._is_ours else str(super().get_disambiguator())


class _KernelResults(_CompileResults):  # type: ignore[misc]
    """The serialization of compiled kernels."""

    def __init__(self, function: Callable[..., object], folder: Path) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _KernelLocator(function, folder)
        name = f"{Path(function.__code__.co_filename).stem}.{function.__qualname__}"
        self._filename_base = self.get_filename_base(name, getattr(sys, "abiflags", ""))


class KernelCache(_FunctionCache):  # type: ignore[misc]
    """The compiled forms of one kernel in a cache folder.

    Numba's class takes the folder from a global setting, which is not safe with threads.
    """

    def __init__(
        self, function: Callable[..., object], folder: Path, kind: str = _CALLABLE
    ) -> None:
        """`kind` is what the folder is for: code that Python calls, or code to be linked."""
        self._name, self._py_func, self._kind = repr(function), function, kind
        self._impl = _KernelResults(function, folder)
        locator = self._impl.locator
        self._cache_path = locator.get_cache_path()
        self._cache_file = _IndexDataCacheFile(
            self._cache_path, self._impl.filename_base, locator.get_source_stamp()
        )
        self.enable()

    def _load_overload(self, signature: object, target: Any) -> object:
        """The compiled form for these arguments, or None; an entry that does not fit is deleted."""
        try:
            found = self._cache_file.load(self._index_key(signature, target.codegen()))
            if found is None:
                return None
            if self._fits(signature, found):
                return self._impl.rebuild(target, found)
        except Exception:  # unpickling a damaged file may raise anything
            pass
        Path(self._cache_file._index_path).unlink(missing_ok=True)
        return None

    def _save_overload(self, signature: object, compiled: object) -> None:
        """Keep a compiled form; where the disk is full, it is compiled again the next time."""
        with suppress(OSError):
            super()._save_overload(signature, compiled)

    def _fits(self, signature: object, found: tuple[Any, ...]) -> bool:
        """Whether it is this kernel, for these arguments, in this kind of code."""
        (_, kind, _), description, _, compiled_for, *_ = found
        arguments, _ = _sigutils.normalize_signature(signature)
        return (
            (kind == LINKED) == (self._kind == LINKED)
            and description.qualname == self._py_func.__qualname__
            and tuple(compiled_for.args) == tuple(arguments)
        )


@cache
def cache_folder(outside: frozenset[str] = frozenset()) -> Path:
    """The folder of compiled kernels, below UNDERCUT_CACHE or in the user's cache folder.

    `outside` has digests of the sources outside the package that a kernel depends on.
    """
    name = "-".join([_source_digest(), *sorted(outside), f"numba{numba.__version__}"])
    try:
        kernels = _own_folder(_own_folder(_root() / "undercut") / "kernels")
        folder = _own_folder(kernels / name)
        os.utime(folder)
    except OSError:  # no home, read-only, or another user's: a cache for this process only
        passing = Path(tempfile.mkdtemp(prefix="undercut-kernels-"))
        atexit.register(shutil.rmtree, passing, ignore_errors=True)
        return passing
    _forget_old(kernels, keep=folder)
    return folder


def _root() -> Path:
    named = os.environ.get("UNDERCUT_CACHE")
    if named:
        root = Path(named).expanduser()
        if not root.is_absolute():
            raise OptionsError(f"UNDERCUT_CACHE {named!r}: must be an absolute path")
        return root
    root = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if root.is_absolute():  # the XDG standard ignores relative paths
        return root
    root = Path(os.path.expanduser("~"))
    if not root.is_absolute():
        raise FileNotFoundError("there is no home folder")
    return root / ".cache"


def _own_folder(folder: Path) -> Path:
    """Create a private folder of this user, or check an existing one.

    A folder that others could write to may contain their code, so it is emptied first.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "nt":  # Windows profiles are private
        return folder
    found = folder.stat()
    if found.st_uid != os.geteuid():
        raise PermissionError(f"{folder} belongs to another user")
    if found.st_mode & _OTHERS_WRITE:
        shutil.rmtree(folder)
        folder.mkdir(mode=0o700)
    elif found.st_mode & 0o077:
        folder.chmod(0o700)
    return folder


def is_cache_cold() -> bool:
    """Whether the cache has no kernel for these sources yet."""
    return not _settings.DISABLE_JIT and next(cache_folder().rglob("*.nbi"), None) is None


@cache
def _source_digest() -> str:
    return digest_of_code(kernel_sources(_PACKAGE))


def kernel_sources(package: Path) -> dict[Path, str]:
    """Every file of a package that declares a kernel, and all that these import from the package."""
    texts = {path: "\n" + path.read_bytes().decode() for path in package.rglob("*.py")}
    wanted = [path for path, text in texts.items() if _DECLARES.search(text)]
    found = set(wanted)
    while wanted:
        for module, names in _IMPORTS.findall(texts[wanted.pop()]):
            folder = package.parent.joinpath(*module.split("."))
            inside = (folder / f"{name}.py" for name in re.findall(r"\w+", names))
            new = {
                folder.with_suffix(".py"),
                folder / "__init__.py",
                *inside,
            } & texts.keys() - found
            found |= new
            wanted += new
    return {path: texts[path] for path in sorted(found)}


def digest_of_code(sources: dict[Path, str]) -> str:
    """The digest of some files, whatever their comments and docstrings say."""
    digest = hashlib.sha256()
    for path, text in sources.items():
        digest.update(f"{path.as_posix()}\0{without_comments(text)}".encode())
    return digest.hexdigest()[:16]


def without_comments(text: str) -> str:
    """The code of a formatted source: no comments, no docstrings, no blank lines.

    >>> without_comments('x = "#1"  # one\\n\\n# two\\ny = 2\\n')
    'x = "#1"\\ny = 2\\n'
    """
    return _NO_CODE.sub(lambda found: found[1] or "", text).replace("  \n", "\n")


@cache
def outside_digest(file: Path) -> frozenset[str]:
    """The digest of a file outside our package, with all files of its own package."""
    if file.is_relative_to(_PACKAGE) or not file.is_file():
        return frozenset()
    root = file
    while (root.parent / "__init__.py").is_file():
        root = root.parent
    digest = hashlib.sha256()
    for path in [file] if root == file else sorted(root.rglob("*.py")):
        digest.update(path.as_posix().encode() + b"\0" + path.read_bytes())
    return frozenset([digest.hexdigest()[:16]])


def _forget_old(kernels: Path, keep: Path) -> None:
    for folder in kernels.iterdir():
        try:
            age = time.time() - folder.stat().st_mtime
        except OSError:  # another process has just deleted it
            continue
        if folder != keep and age > _KEEP_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
