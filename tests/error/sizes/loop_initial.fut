-- A size that the loop parameter declares must be the initial one.
-- ==
-- error: Sizes "n" and "3" do not match
def f (n: i64) = loop (xs: [n]i64) = iota 3 for _i < 3i32 do xs
