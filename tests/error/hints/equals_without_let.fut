-- A second binding without let.
-- at 8
-- ==
-- error: each binding starts with its own "let"

def f (x: i32) =
  let y = x
  z = y
  in z
