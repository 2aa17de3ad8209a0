-- A size in the type of a parameter consumes nothing.
-- at 7
-- ==
-- error: Consuming variable "b", which is not consumable

def take_length (b: *[]bool) : i64 = length b
def g (b: *[4]bool) (ys: [take_length b + 1]i32) = ys
