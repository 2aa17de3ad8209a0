-- Three arrays for zip.
-- at 6
-- ==
-- error: "zip3" is for 3 arrays

def f (xs: []f64) (ys: []f64) (zs: []f64) = zip xs ys zs
