-- A size, as NumPy writes it.
-- at 6
-- ==
-- error: the outer size is "length xs"; a size parameter gives any size a name: "def f \[n\]\[m\] \(xss: \[n\]\[m\]i32\) = \.\.\."\.

def f [n] (a: [n]f64) = a.shape[0]
