-- Fields of one result may be one array, also if their types differ in size.
-- at 13
-- ==
-- error: Using result of applying "m.split" 

module m : { val split [n] : [n]i64 -> ?[k].{lo: [k]i64, hi: [n]i64} } = {
  def split [n] (xs: [n]i64) = {lo = xs[:n / 2], hi = xs}
}

def f (n: i64) =
  let r = m.split (iota n)
  let x = r.lo with [0] = 1
  in (x, r.hi)
