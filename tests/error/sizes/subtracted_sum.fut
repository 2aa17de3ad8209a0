-- A sum is not taken apart when it is subtracted.
-- ==
-- error: Sizes "a - b - c" and "a - .b . c." do not match
def f (a: i64) (b: i64) (c: i64) : [a - b - c]i64 = iota (a - (b + c))
