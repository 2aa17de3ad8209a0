-- The same, before another declaration.
-- at 10
-- ==
-- error: "in" comes between the last "let"

def f (x: i32) =
  let y = x + 1
  y * 2

def g = 1i32
