-- No in after the last let.
-- at 8
-- ==
-- error: "in" comes between the last "let"

def f (x: i32) =
  let y = x + 1
  y * 2
