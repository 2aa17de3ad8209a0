-- A parameter of a function type may have the name of a size parameter around it, which it hides there.
-- ==
-- input { 5i64 } output { 6i64 [0i64, 1i64] }
def second [n] (f: (n: i64) -> [n]i64) (xs: [n]i64) = (f 2)[1] + xs[0]

def pairs [n] (f: (n: i64) -> [n]i64) (_: [n]bool) : [2]i64 = f 2

entry main (x: i64) = (second (\k -> iota k) [x], pairs iota (replicate 7 true))
