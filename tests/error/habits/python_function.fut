-- A function of Python with a loop.
-- at 8
-- ==
-- error: a function is defined by "def f

def f(xs):
    s = 0
    for x in xs:
        s += x
    return s
