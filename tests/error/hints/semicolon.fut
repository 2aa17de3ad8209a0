-- A semicolon.
-- at 7
-- ==
-- error: there are no semicolons

def f (x: i32) =
  let y = 2;
  in x + y
