-- map2, as Haskell calls it.
-- at 6
-- ==
-- error: "map2 f xs ys" applies f to both elements\.

def f (a: []f64) (b: []f64) = zipWith (+) a b
