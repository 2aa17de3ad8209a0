-- Consumption in one case counts afterwards.
-- at 10
-- ==
-- error: Using variable "a", but this was consumed

def f (c: i32) (a: *[4]i32) =
  let b = match c
          case 0 -> a with [0] = 1
          case _ -> replicate 4 0
  in (b, a[1])
