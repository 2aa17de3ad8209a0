-- Suffixes do not matter, but nothing is computed, nor do other types count as i64.
-- at 6 7 8 9
-- ==
-- error: do not match

def f : [4i64]i64 = iota (2i64 + 2i64)
def g : [3]i64 = iota (i64.i32 3)
def h [n] (xs: [n + 1i64]i32) : [1 + n]i32 = xs
def k : [10]i64 = iota 0xAi64 ++ ([] : [0]i64)
