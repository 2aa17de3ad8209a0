-- A range as an index.
-- at 6
-- ==
-- error: a slice is written "xs\[a:b\]"; a range "a\.\.<b", or "a\.\.\.b" if it includes b\.

def f (xs: []f64) = xs[1..3]
