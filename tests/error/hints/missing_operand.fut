-- An operator without its second operand.
-- at 8
-- ==
-- error: what "\+" is applied to is missing after it

def f (x: i32) =
  let y = x +
  in y
