-- A pipe for each element.
-- at 6
-- ==
-- error: "map f xs" applies f to each element\.

def f (xs: []f64) = xs .|> f64.sin
