-- A function in an instance of a lifted parameter that takes arrays of a size inside of the argument.
-- at 9
-- ==
-- error: not in scope

def ends '^a '^b (f: a -> b) (p: (a, a)) = {lo = f p.0, hi = f p.1}

entry main (n: i64) (m: i64) =
  let r = ends (\(k: i64) -> {f = \(ys: [k]i64) -> i64.sum ys, xs = iota k}) (n, m)
  in r.lo.f r.hi.xs
