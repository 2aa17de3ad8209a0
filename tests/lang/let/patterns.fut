-- Tuples and records taken apart.
-- ==
-- input { 1 2 } output { 7 }
entry main (a: i32) (b: i32) =
  let (x, (y, _)) = (a, (b, true))
  let {p = u, q} = {p = x + 1, q = y + 1}
  let () = ()
  in u + q + x + (let {r} = {r = 1i32} in r)
