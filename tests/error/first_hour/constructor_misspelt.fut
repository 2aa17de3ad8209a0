-- A constructor that is misspelt.
-- at 7
-- ==
-- error: did you mean "#square"\?

type s = #circle f64 | #square f64
def f (x: s) = match x case #circle r -> r case #sqare a -> a
