-- The sizes of two occurrences of a lifted type parameter differ.
-- at 10
-- ==
-- error: do not match

def ends '^a '^b (f: a -> b) (p: (a, a)) = {lo = f p.0, hi = f p.1}

entry main (n: i64) (m: i64) =
  let r = ends iota (n, m)
  in map2 (+) r.lo r.hi
