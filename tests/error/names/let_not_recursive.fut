-- A let-bound name is not in scope in its own value.
-- at 7
-- ==
-- error: Unknown name "h"

def f (x: i32) =
  let h = \y -> if y == 0 then 0 else h (y - 1)
  in h x
