-- Products do not commute.
-- ==
-- error: Sizes "n \* m" and "m \* n" do not match
def f (n: i64) (m: i64) : [n * m]i64 = iota (m * n)
