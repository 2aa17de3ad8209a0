-- An element, as Haskell writes it.
-- at 6
-- ==
-- error: an element is "xs\[i\]"\.

def f (xs: []f64) = xs !! 0
