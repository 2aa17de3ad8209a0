-- An argument of reduce is left out.
-- at 6
-- ==
-- error: "reduce" has type \(a -> a -> a\) -> a -> \[n\]a -> \*a

def f (xs: []i32) : i32 = reduce (+) xs
