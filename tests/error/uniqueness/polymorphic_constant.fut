-- A polymorphic constant is a global array, which nothing may consume.
-- at 8
-- ==
-- error: Consuming variable "empty", which is not consumable

def empty = []
entry main (x: i64) =
  let xs : *[]i64 = empty with [0] = x
  in xs
