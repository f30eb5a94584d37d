"""TDirectory: a place for objects, in memory or in a file, and the keys of what a file holds."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from pytmva_bnn.compat.errors import NotInCompatError
from pytmva_bnn.compat.lists import ObjectList
from pytmva_bnn.compat.messages import LOGGER, show
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.errors import suggestion

if TYPE_CHECKING:
    from pytmva_bnn.compat.files import TFile


class TKey:
    """The entry of an object in a file.

    >>> from pytmva_bnn.compat import ROOT
    >>> [(key.GetName(), key.GetClassName()) for key in ROOT.TFile("xml_fixtures/data/reg.root").GetListOfKeys()]
    [('TreeR', 'TTree')]
    """

    def __init__(self, name: str, class_name: str, read: Callable[[], Any]) -> None:
        self._name = name
        self._class_name = class_name
        self._read = read

    def GetName(self) -> str:
        return self._name

    def GetClassName(self) -> str:
        """Return the class of the object; of a folder it is TDirectoryFile, though the file says TDirectory."""
        return "TDirectoryFile" if self._class_name == "TDirectory" else self._class_name

    GetTitle = GetName

    def GetCycle(self) -> int:
        """Return 1: only the newest of the objects of a name is listed."""
        return 1

    def ReadObj(self) -> Any:
        return self._read()

    ReadObject = ReadObj


class Templated:
    """A call that C++ may write with the class that it gives: ``Get("t")`` and ``Get["TTree"]("t")``."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else Templated(partial(self._function, owner))

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return self._function(*arguments)

    def __getitem__(self, kind: Any) -> Templated:
        return self


class TDirectory:
    """A directory; objects attach to it when they are made, and are written to its file when asked to.

    >>> from pytmva_bnn.compat import ROOT
    >>> ROOT.gROOT.cd()
    >>> histogram = ROOT.TH1F("h_in_memory", "", 10, 0, 1)
    >>> ROOT.gDirectory.Get("h_in_memory") is histogram
    True
    """

    def __init__(self, name: str, title: str = "", parent: TDirectory | None = None) -> None:
        self._name = name
        self._title = title
        self._parent = parent
        self._objects: dict[str, Any] = {}
        self._folders: dict[str, TDirectory] = {}

    # -- where it is

    @property
    def file(self) -> TFile | None:
        """The file that it is in; None for the directory in memory."""
        return self._parent.file if self._parent is not None else None

    @property
    def path(self) -> str:
        """The path in the file, empty at its top."""
        if self._parent is None:
            return ""
        return f"{self._parent.path}/{self._name}".lstrip("/")

    def GetName(self) -> str:
        return self._name

    def GetTitle(self) -> str:
        return self._title

    def GetPath(self) -> str:
        """Return the path, with the file's name in front."""
        return f"{self.file.GetName() if self.file else self._name}:/{self.path}"

    def GetFile(self) -> Any:
        return self.file or NullPointer(f"the directory {self._name} is in memory")

    def GetMotherDir(self) -> Any:
        return self._parent or NullPointer(f"{self._name} is in no other directory")

    def IsZombie(self) -> bool:
        """Return False: a directory that cannot be opened is an error here."""
        return False

    def cd(self, path: str = "") -> bool:
        """Make this directory, or one in it, the current one."""
        target = self.directory_at(str(path)) if path else self
        if target is None:
            LOGGER.error("cd: %s has no directory %r", self.GetPath(), path)
            return False
        SESSION.directory = target
        return True

    # -- directories in it

    def mkdir(self, name: str, title: str = "", returnExistingDirectory: bool = False) -> Any:  # noqa: N803
        """Make a directory; ``a/b`` makes both."""
        first, _, rest = str(name).partition("/")
        known = self.directory_at(first)
        if known is not None and not rest and not returnExistingDirectory:
            return NullPointer(f"{self.GetPath()} has a directory {first!r} already")
        if known is None:
            known = self._folders[first] = TDirectory(first, title or first, self)
            if self.file is not None:
                self.file.note_directory(known.path)
        return known.mkdir(rest, title, returnExistingDirectory) if rest else known

    def directory_at(self, path: str) -> TDirectory | None:
        """Return the directory of that path, or None."""
        if ":/" in path or path.startswith("/"):  # file.root:/folder, or from the top of this file
            name, _, path = path.rpartition(":/")
            files: dict[str, TDirectory] = {file.GetName(): file for file in SESSION.files}
            files |= {"": self.file or SESSION.memory, SESSION.memory.GetName(): SESSION.memory}
            top, path = files.get(name), path.strip("/")
            return top.directory_at(path) if top is not None and path else top
        first, _, rest = path.strip("/").partition("/")
        if first in {"", "."}:
            found: TDirectory | None = self
        elif first == "..":
            found = self._parent
        else:
            found = self._folders.get(first)
            if found is None and self.file is not None and self.file.holds_directory(f"{self.path}/{first}".strip("/")):
                found = self._folders[first] = TDirectory(first, first, self)
        return found.directory_at(rest) if found is not None and rest else found

    def GetDirectory(self, path: str) -> Any:
        return self.directory_at(path) or NullPointer(f"{self.GetPath()} has no directory {path!r}")

    # -- objects in it

    def attach(self, name: str, thing: Any) -> None:
        """Take an object; one of the same name is replaced."""
        self._objects[name] = thing

    def detach(self, thing: Any) -> None:
        """Give up an object."""
        for name in [name for name, known in self._objects.items() if known is thing]:
            del self._objects[name]

    def Append(self, thing: Any, replace: bool = False) -> None:
        del replace
        self.attach(thing.GetName(), thing)

    Add = Append

    @Templated
    def Get(self, path: str) -> Any:
        """Return an object by its name or path; what does not exist is a null pointer."""
        path = str(path)
        if ":/" in path or path.startswith("/"):
            folder, _, last = path.rpartition("/")
            home = self.directory_at(f"{folder}/")
            return NullPointer(f"there is no directory {folder}") if home is None else home.Get(last)
        name = path.partition(";")[0]
        folder, _, last = name.rpartition("/")
        home = self.directory_at(folder) if folder else self
        if home is not None:
            if last in home._objects:
                return home._objects[last]
            if home.directory_at(last) is not None:
                return home.directory_at(last)
        full = f"{self.path}/{path}".strip("/")
        if self.file is not None and self.file.holds(full):
            found = self.file.read(full)
            if home is not None and hasattr(found, "SetDirectory"):
                found.SetDirectory(home)
            return found
        known = [key.GetName() for key in self.GetListOfKeys()] + list(self._objects)
        hint = suggestion(name, known)
        return NullPointer(f"{self.GetPath()} has no object {name!r}" + (f": {hint}" if hint else ""))

    @Templated
    def GetObject(self, path: str, cell: Any = None) -> Any:
        """Return an object, and put it into a cell, a list of one element."""
        found = self.Get(path)
        if isinstance(cell, list):
            cell[:] = [found]
        return found

    def __getitem__(self, path: str) -> Any:
        found = self.Get(path)
        if isinstance(found, NullPointer):
            raise KeyError(found.reason)
        return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = self.Get(name)
        if isinstance(found, NullPointer):
            raise NotInCompatError(
                f"{type(self).__name__}.{name} is neither a call that exists in pytmva_bnn.compat nor an object: "
                f"{found.reason}"
            )
        return found

    def FindKey(self, name: str) -> Any:
        return self.GetListOfKeys().FindObject(str(name))

    GetKey = FindKey

    def FindObject(self, name: str) -> Any:
        return self._objects.get(str(name)) or NullPointer(f"{self.GetPath()} has no object {name!r} in memory")

    FindObjectAny = FindObject

    def GetList(self) -> ObjectList[Any]:
        return ObjectList(self._objects.values())

    def GetNkeys(self) -> int:
        return len(self.GetListOfKeys())

    def GetListOfKeys(self) -> ObjectList[TKey]:
        return ObjectList(self.file.keys_in(self.path) if self.file is not None else [])

    def Delete(self, names: str = "") -> None:
        """Forget objects in memory: ``name``, or a pattern; nothing is deleted in the file."""
        for name in fnmatch.filter(list(self._objects), names.partition(";")[0] or "*"):
            del self._objects[name]

    def ls(self, option: str = "") -> None:
        del option
        show(self.GetPath())
        for thing in self._objects.values():
            show(f" OBJ: {type(thing).__name__}\t{thing.GetName()}")
        for key in self.GetListOfKeys():
            show(f" KEY: {key.GetClassName()}\t{key.GetName()}")

    # -- writing

    def Write(self, name: str = "", option: int = 0, bufsize: int = 0) -> int:
        """Write all objects that are attached, and those of the directories in it; return their number."""
        del name, option, bufsize
        written = 0
        for directory in self._tree():
            for key, thing in directory._objects.items():
                if directory.file is None or not directory.file.has_unchanged(thing):
                    directory.write_object(thing, key)
                    written += 1
        return written

    def _tree(self) -> Iterator[TDirectory]:
        yield self
        for folder in self._folders.values():
            yield from folder._tree()

    def write_object(self, thing: Any, name: str) -> None:
        """Put an object into the file, as it is now."""
        if self.file is None:
            LOGGER.error(
                "The current directory (%s) is not associated with a file. The object (%s) has not been written.",
                self._name,
                name,
            )
            return
        self.file.record(f"{self.path}/{name}".lstrip("/"), thing)

    def WriteTObject(self, thing: Any, name: str = "") -> int:
        self.write_object(thing, name or thing.GetName())
        return 1

    def WriteObject(self, thing: Any, name: str) -> int:
        return self.WriteTObject(thing, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.GetPath()}>"


class CurrentDirectory:
    """``gDirectory``: whatever the current directory is.

    >>> from pytmva_bnn.compat import ROOT
    >>> ROOT.gROOT.cd()
    >>> ROOT.gDirectory.GetName()
    'PyROOT'
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(SESSION.directory, name)

    def __getitem__(self, path: str) -> Any:
        return SESSION.directory[path]

    def __repr__(self) -> str:
        return repr(SESSION.directory)


gDirectory = CurrentDirectory()  # noqa: N816 - ROOT's name
