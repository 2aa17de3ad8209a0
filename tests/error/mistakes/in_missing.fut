-- In missing.
-- at 8
-- ==
-- error: "in" comes between.*missing before 8:3

def f (x: i32) =
  let y = x + 1
  y * 2
