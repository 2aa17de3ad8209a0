-- A variable from outside a loop is consumed in its body.
-- at 9
-- ==
-- error: Consuming variable "a", which is not consumable

def f (n: i64) =
  let a = iota n
  in loop s = 0 for _i < 3i32 do
       let b = a with [0] = 1
       in s + b[0]
