-- A transposition, as NumPy writes it.
-- at 6
-- ==
-- error: "transpose xss" exchanges rows and columns\.

def f [n] (a: [n][n]f64) = a.T
