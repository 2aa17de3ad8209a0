-- An index, as OCaml and F# write it.
-- at 6
-- ==
-- error: an index follows its array without a point: "xs\[i\]"\.

def f (xs: []f64) = xs.[0]
