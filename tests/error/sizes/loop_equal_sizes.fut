-- Sizes that the body needs to be equal must be so initially.
-- ==
-- error: Sizes "n" and "3" do not match
def f (n: i64) = loop (a, b) = (iota n, iota 3) for _i < 3i32 do (map2 (+) a b, b)
