-- Nor in a local function.
-- at 8
-- ==
-- error: Consuming variable "b", which is not consumable

def take_length (b: *[]bool) : i64 = length b
def f (x: i32) =
  let g (b: *[4]bool) (ys: [take_length b]i32) = ys
  in g
