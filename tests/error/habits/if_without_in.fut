-- A conditional after bindings, without in.
-- at 8
-- ==
-- error: "in" comes between the last "let" and the result

def f (x: f64) : f64 =
  let y = x
  if y > 0 then y else -y
