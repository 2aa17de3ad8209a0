-- A global constant is consumed.
-- at 7
-- ==
-- error: Consuming variable "tab", which is not consumable

def tab : [3]i32 = [4, 5, 6]
def f (i: i64) = tab with [i] = 1
