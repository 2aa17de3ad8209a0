-- Nothing is cancelled.
-- ==
-- error: Sizes "n" and "n - 1 \+ 1" do not match
def f (n: i64) : [n]i64 = iota (n - 1 + 1)
