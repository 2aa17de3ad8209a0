-- Factors of a size in another order.
-- at 6
-- ==
-- error: if the sizes are equal when the program runs, say so: "e :> \[n\]t" checks it then\.

def f [n][m] (xs: [n][m]f64) : [n*m]f64 = flatten (transpose xs)
