-- Nothing is computed in sizes.
-- at 6
-- ==
-- error: Sizes "n . 1" and "1 . n" do not match

def e1 (n: i64) : [n + 1]i64 = iota (1 + n)
