-- Several in lets.
-- at 7 8 9
-- ==
-- error: Cannot apply "\+" to "true".*Unknown name "foo".*Pattern w: f64 cannot match

def f (x: i32) =
  let y = x + true
  let z = foo x
  let w: f64 = x
  in (y, z, w)
