-- Nor does one in a declared result.
-- at 7
-- ==
-- error: Consuming variable "b", which is not consumable

def take_length (b: *[]bool) : i64 = length b
def g (b: *[4]bool) (ys: []i32) : [take_length b]i32 = ys :> [take_length b]i32
