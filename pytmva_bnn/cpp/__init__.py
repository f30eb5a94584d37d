"""C++ text: literals, and the parts of a class."""
