"""The C++ text of the generated class, piece by piece; ``$name`` marks what is filled in.

All functions are members of the class, so that several generated classes can be in one program.
"""
