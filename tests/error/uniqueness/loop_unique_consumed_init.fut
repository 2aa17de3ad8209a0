-- A loop parameter that the body consumes needs an initial value to be consumed.
-- at 7
-- ==
-- error: Consuming variable "xs", which is not consumable

def f (xs: []i32) =
  loop (a: *[]i32, b: *[]i32) = (copy xs, xs) for i < 3 do
    (copy a, b with [0] = i)
