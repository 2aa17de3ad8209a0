-- A suffixed literal is another size.
-- at 6
-- ==
-- error: do not match

def f : [1]i64 = iota 1i64
