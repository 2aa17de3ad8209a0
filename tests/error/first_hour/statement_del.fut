-- A statement between bindings.
-- at 7
-- ==
-- error: "del" on the next line continues this one, as an argument; is "in" or an operator

def f (x: f64) =
  let y = x
  del y
  in y
