-- A semicolon.
-- at 7
-- ==
-- error: nothing stands between bindings

def f (x: i32) =
  let y = 2;
  in x + y
