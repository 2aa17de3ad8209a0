-- Top-level constants.
def n : i64 = 3
def table = map (* n) (iota n)
-- ==
-- input { 1i64 } output { 3i64 9i64 }
entry main (i: i64) = (table[i], i64.sum table)
