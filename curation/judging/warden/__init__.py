"""The program that lives inside a sandbox and runs one submission after another, each in a cell of its own.

`curation.judging.levels` starts it with a bare interpreter, and it imports nothing but the standard library, so it also
works where the rest of the package is out of sight. `main` takes the orders, `root` builds the file system that
cells see, `cell` starts one program, `watch` enforces the limits while it runs, `filters` and `landlock` take away what
a program never needs, `kernel` makes the system calls that Python lacks.
"""
