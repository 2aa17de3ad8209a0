-- Two results of one call may be one array.
-- at 12
-- ==
-- error: Using result of applying "build" \(at .*\), but this was consumed

def build (k: i64) (n: i64) : ([]i64, []i64) =
  if k <= 0 then let a = iota n in (a, a) else build (k - 1) n

entry main (n: i64) =
  let (a, b) = build 2 n
  let a[0] = 100
  in (a, b)
