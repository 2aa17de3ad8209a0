-- A number has no fields, whatever comes first in the text.
-- at 6 7 8
-- ==
-- error: Actual:   .foo: a, .*cannot be a record with.*cannot be a record with

def f x = (x.foo, x + 1)
def g x = (x + 1, x.foo)
def h = 1 with foo = 2
