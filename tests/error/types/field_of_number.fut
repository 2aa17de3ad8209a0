-- A number has no fields, whatever comes first in the text.
-- at 6 7 8
-- ==
-- error: with type that must be a record with.*with type that must be a record with.*with type that must be a record with

def f x = (x.foo, x + 1)
def g x = (x + 1, x.foo)
def h = 1 with foo = 2
