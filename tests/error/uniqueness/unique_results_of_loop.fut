-- Unique results may not come from one loop whose parameters it does not consume.
-- at 7
-- ==
-- error: aliased to some other component

def f (n: i64) : (*[]i64, *[]i64) =
  let (p, q, _) =
    loop (p, q, k) = (iota n, iota n, n) while k > 0 do
      let t = map (+ k) p
      in (t, t, k - 1)
  in (p, q)
