-- Literals of different types are different sizes, though they look the same.
-- at 9
-- ==
-- error: do not match

def size 't (_: t) (n: i64) : i64 = n
def ones 't (x: t) (n: i64) : [size x n]i32 = replicate (size x n) 1

entry main (n: i64) = zip (ones 2i32 n) (ones 2i64 n)
