-- Map function of two.
-- at 7
-- ==
-- error: "f" takes 2 arguments, but "map" gives it 1.*"map2 f ..." is for 2 arrays

def f (a: f64) (b: f64) = a * b
entry main (xs: []f64) = f64.sum (map f xs)
