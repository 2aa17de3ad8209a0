-- A loop with a condition.
-- ==
-- input { 3.0 } output { 64.0 64.0 }
entry main (x: f64) =
  let f y = loop y while y < 100 do y * 2 + 1
  in (vjp f x 1 * 2, jvp f x 1 * 2)
