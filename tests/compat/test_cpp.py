"""C++'s values in Python: copies, references, cells, arithmetic and the C library where g++ has no say."""

from array import array

import numpy as np
import pytest

from pytmva_bnn.compat import ROOT, cpp
from pytmva_bnn.compat.branch_values import branch_value
from pytmva_bnn.compat.entries import memory_of

std = ROOT.std


class Node(cpp.Struct):
    _pointers = ("next",)

    def __init__(self):
        self.value, self.numbers, self.matrix, self.next = 0.5, array("d", [1, 2]), np.zeros((2, 2)), None
        self.names = std.vector["string"](["a"])

    def __rlshift__(self, stream):
        return stream << "Node " << self.value


def test_copies_of_structs_share_nothing_but_their_pointers():
    node = Node()
    node.next = other = Node()
    copy = cpp.copied(node)
    copy.value, copy.numbers[0], copy.matrix[0, 0], copy.names[0] = 7, 7, 7, "z"
    assert (node.value, node.numbers[0], node.matrix[0, 0], node.names[0]) == (0.5, 1, 0, "a")
    assert copy.next is other
    cpp.assign(node, copy)
    assert (node.value, node.names[0]) == (7, "z")
    assert node.names is not copy.names
    assert node != cpp.copied(node)


@pytest.mark.parametrize("value", [5, 2.5, "text", True, None, ROOT.nullptr, len])
def test_copies_of_plain_values_are_the_values(value):
    assert cpp.copied(value) is value


def test_containers_are_assigned_in_place():
    vector, mapping = std.vector["int"]([1]), std.map["int,std::vector<int>"]()
    alias, source = mapping, std.map["int,std::vector<int>"]([(1, [2, 3])])
    cpp.assign(vector, [4.9, 5])
    cpp.assign(mapping, source)
    source[1][0] = 9
    assert (list(vector), alias[1]) == ([4, 5], [2, 3])
    pair = std.make_pair(1, 2)
    cpp.assign(pair, std.make_pair(3, 4))
    assert pair == (3, 4)


def test_elements_of_containers_are_copies_and_pointers_are_not():
    node = Node()
    by_value, by_pointer = std.vector[Node](), std.vector["Node*"]()
    by_value.push_back(node)
    by_pointer.push_back(node)
    by_value[0].value = 1
    by_pointer[0].value = 2
    assert (by_value[0].value, node.value) == (1, 2)
    grown = std.vector[Node](2)
    assert grown[0] is not grown[1]
    assert not std.vector["TH1F*"](1)[0]
    by_name = std.map["std::string,TH1F*"]()
    assert by_name["x"] == ROOT.nullptr
    assert std.vector["double"] is std.vector["Double_t"] is std.vector["const double"]


@pytest.mark.parametrize("index", [3, -1])
def test_elements_that_do_not_exist_are_clear_errors(index):
    vector = std.vector["int"](3)
    with pytest.raises(IndexError, match=rf"element \[{index}\] of a vector<int> of 3 elements"):
        vector[index]
    with pytest.raises(IndexError, match=rf"element \[{index}\]"):
        vector[index] = 1


def test_references_and_pointers():
    vector, mapping, node = std.vector["float"]([1, 2, 3]), std.map["std::string,int"](), Node()
    element, entry, member = cpp.ref(vector, 1), cpp.ref(mapping, "k"), cpp.ref(node, "value")
    element[0], entry[0], member[0] = 0.1, 7.9, 3
    assert (vector[1], mapping["k"], node.value) == (cpp.float32(0.1), 7, 3)
    assert element[1] == (element + 1)[0] == 3
    assert (element + 1) - element == 1
    assert element == cpp.ref(vector, 1)
    memory = array("d", [1, 2, 3])
    cpp.address(memory, 1)[1] = 9
    assert memory[2] == 9
    assert cpp.address(["a", "b"], 1)[0] == "b"


def test_elements_of_memory_are_divided_as_their_types_say():
    numbers, reals = cpp.address(array("i", [-7, 2])), cpp.address(array("f", [1.0, 0.0]))
    assert cpp.divide(numbers[0], numbers[1]) == cpp.divide(numbers[0], 2) == -3
    assert cpp.divide(reals[0], reals[1]) == float("inf")
    assert cpp.int32(reals[0]) == 1


def test_vectors_of_vectors_are_read_from_trees_and_not_written():
    tree, nested = ROOT.TTree("t", ""), std.vector["std::vector<float>"](2)
    with pytest.raises(NotImplementedError, match="the branch v is a vector<vector<float>>, which cannot be written"):
        tree.Branch("v", nested)
    memory_of("v", nested).set(branch_value([[1.0], [0.1, 2.0]]))
    assert [list(row) for row in nested] == [[1.0], [cpp.float32(0.1), 2.0]]
    assert isinstance(nested[0], std.vector["float"])


def test_cells_are_stepped_and_wrap_around():
    cell, character, iterator = array("i", [2**31 - 1]), cpp.CharCell("a"), std.vector["int"]([5, 6]).begin()
    assert (cpp.post_increment(cell), cell[0]) == (2**31 - 1, -(2**31))
    assert (cpp.pre_decrement(cell), cell[0]) == (2**31 - 1, 2**31 - 1)
    assert (cpp.post_increment(character), character[0]) == ("a", "b")
    assert (cpp.post_increment(iterator).deref(), iterator.deref()) == (5, 6)
    assert cpp.pre_decrement(iterator).deref() == 5
    flag = np.zeros(1, bool)
    std.istringstream("1") >> flag
    assert flag[0]


def test_streams_print_objects_and_refuse_containers(capsys, monkeypatch):
    std.cout << Node() << " " << np.float32(0.5) << " " << ROOT.nullptr << std.endl
    std.cerr << "error" << std.endl
    assert capsys.readouterr() == ("Node 0.5 0.5 0\n", "error\n")
    with pytest.raises(TypeError, match="vector<int> cannot be printed"):
        std.cout << std.vector["int"]()
    old = std.cout.rdbuf(std.stringstream().rdbuf())
    std.cout << "not seen"
    std.cout.rdbuf(old)
    assert capsys.readouterr().out == ""


def test_the_keyboard_is_read_line_by_line(monkeypatch):
    lines = iter(["3 \n", "  x y\n", "last line\n"])
    read = type("Keyboard", (), {"readline": staticmethod(lambda: next(lines, ""))})
    monkeypatch.setattr("sys.stdin", read)
    number, word, rest = array("i", [0]), [""], [""]
    std.cin >> number >> word
    assert (number[0], word[0], next(lines)) == (3, "x", "last line\n")
    assert cpp.read_line(rest, std.cin)
    assert rest[0] == "y"
    assert not std.cin >> word
    std.cin.clear()


def test_thrown_values_and_exceptions():
    with pytest.raises(cpp.Thrown) as caught:
        raise cpp.Thrown(5)
    assert caught.value.value == 5
    with pytest.raises(std.exception, match="text") as error:
        raise std.runtime_error("text")
    assert error.value.what() == "text"
    assert not issubclass(std.runtime_error, std.logic_error)
    with pytest.raises(ZeroDivisionError, match="integer division by zero"):
        cpp.divide(1, 0)
    with pytest.raises(AttributeError, match="did you mean vector"):
        std.vectro  # noqa: B018


@pytest.mark.parametrize(
    ("pattern", "arguments", "text"),
    [
        ("%s|%5s|%s", [ROOT.TString("ab"), None, ROOT.nullptr], "ab|(null)|(null)"),
        ("%d %c %d", [True, 65, "A"], "1 A 65"),
        ("%d", [3.9], "3"),
        ("%d", [1, 2, 3], "1"),
        ("50%, %d", [4], "50%, 4"),
    ],
)
def test_formats_take_pythons_values(pattern, arguments, text):
    assert cpp.c_format(pattern, *arguments) == ROOT.Form(pattern, *arguments) == text


def test_printf_writes_to_the_screen_and_files(capsys):
    assert cpp.printf("%d\n", 5) == 2
    cpp.fprintf(cpp.stderr, "%s", "e")
    assert capsys.readouterr() == ("5\n", "e")
    cell = [""]
    assert cpp.snprintf(cell, 4, "%s", "abcdef") == 6
    assert (cell[0], cpp.sprintf(cell, "%d", 12), cell[0]) == ("abc", 2, "12")
    with pytest.raises(TypeError, match="needs more than 1 arguments"):
        cpp.c_format("%d %d", 1)


@pytest.mark.parametrize(
    ("call", "result"),
    [
        (cpp.number("12"), 12), (cpp.number("1.5"), 1.5), (cpp.number("x"), 0), (cpp.strtol("0x1fz", None, 0), 31),
        (cpp.strstr("abc", "b"), "bc"), (cpp.strstr("abc", "x"), None), (cpp.strrchr("a/b/c", "/"), "/c"),
        (cpp.toupper("a"), "A"), (cpp.tolower(65), 97), (cpp.isdigit("7"), True), (cpp.isspace(32), True),
        (cpp.isalpha("1"), False), (cpp.strncmp("abc", "abd", 2), 0), (cpp.getenv("NO_SUCH_VARIABLE"), None),
    ],
)  # fmt: skip
def test_c_functions(call, result):
    assert call == result
    assert type(call) is type(result)


def test_times():
    cell = array("q", [0])
    assert cpp.time(cell) == cell[0] > 1.6e9
    assert cpp.clock() >= 0
    assert cpp.ctime(cell).endswith("\n")
    assert std.chrono.system_clock.to_time_t(std.chrono.system_clock.now()) >= cell[0]
    cpp.usleep(1)
    std.this_thread.sleep_for(std.chrono.microseconds(1))


def test_tstring_has_the_calls_of_root():
    text = ROOT.TString("  data_1.root ")
    assert text.Strip(ROOT.TString.kBoth) == "data_1.root"
    assert text.Strip() == "  data_1.root"
    text = text.Strip(3)
    assert (text.Append("s"), text.Prepend("my_"), text.Remove(4), text.Insert(4, "X")) == (
        "data_1.roots", "my_data_1.root", "data", "dataX_1.root")  # fmt: skip
    assert (text.First("_"), text.Last("o"), text.CountChar("o"), text.Index("q")) == (4, 9, 2, -1)
    assert [part.GetString() for part in ROOT.TString("a, b,,c").Tokenize(", ")] == ["a", "b", "c"]
    assert text(0, 4) == text.Resize(4) == ROOT.TString().Form("%s", "data") == "data"
    assert text.CompareTo("data_1.ROOT", ROOT.TString.kIgnoreCase) == 0
    assert text.Contains("ROOT", ROOT.TString.kIgnoreCase)
    assert not text.EqualTo("data")
    assert [ROOT.TString(word).IsDigit() for word in ("12", "1.2", "")] == [True, False, False]
    assert [ROOT.TString(word).IsFloat() for word in ("12", "1.2e3", "x", "1x")] == [True, True, False, False]
    assert (ROOT.TString("12x").Atoi(), ROOT.TString("9999999999").Atoll(), text.Sizeof()) == (12, 9999999999, 12)
    assert text.IsAlnum() is ROOT.TString("a1").IsAlpha() is False
