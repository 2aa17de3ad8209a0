-- A number with a suffix of C.
-- at 6
-- ==
-- error: the suffix of a number is its type: 1\.0f32

def f = 1.0f
