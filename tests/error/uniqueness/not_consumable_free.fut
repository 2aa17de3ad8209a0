-- A variable free in a lambda is consumed.
-- at 8
-- ==
-- error: Consuming variable "a", which is not consumable

def f (n: i64) =
  let a = iota n
  in map (\i -> (a with [i] = 0)[0]) (iota 3)
