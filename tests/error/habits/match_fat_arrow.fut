-- A case with another arrow.
-- at 6
-- ==
-- error: a case is written "case p -> \.\.\."

def f (x: i32) = match x case 1 => 2 case _ => 3
