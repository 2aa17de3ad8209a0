-- A bar between a value and a function.
-- at 6
-- ==
-- error: "x \|> f" applies f to x

def f (xs: []f64) = xs | map (+ 1)
