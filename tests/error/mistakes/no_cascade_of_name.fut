-- No cascade of name.
-- at 7
-- ==
-- error: Unknown name "foo"

def f (x: i32) =
  let y = foo x
  let z = y + 1
  in z.a + y[0]
