-- map, as Haskell writes it.
-- at 6
-- ==
-- error: "map f xs" applies f to each element\.

def f (a: []f64) = (+ 1) <$> a
