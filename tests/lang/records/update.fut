-- Updating fields.
-- ==
-- input { 1 2 } output { 10 2 5 7 }
entry main (a: i32) (b: i32) =
  let r = {x = a, y = b, s = {t = 5i32, u = 6i32}}
  let r = r with x = 10
  let r.s.u = 7
  in (r.x, r.y, r.s.t, r.s.u)
