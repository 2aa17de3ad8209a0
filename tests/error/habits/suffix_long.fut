-- An integer with a suffix of C.
-- at 6
-- ==
-- error: the suffix of a number is its type: 10i64

def f = 10L
