-- The condition of a while loop consumes.
-- at 8
-- ==
-- error: Consuming variable "a", which is not consumable

def eat (a: *[]i64) : bool = a[0] > 0
def f (n: i64) =
  loop a = iota n while eat a do
    map (+ 1) a
