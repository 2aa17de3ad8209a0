-- A slice of a parameter that is not unique.
-- at 7
-- ==
-- error: Consuming variable "a", which is not consumable

def first_one [n] (a: *[n]i32) : *[n]i32 = a with [0] = 1
def f [n] (a: [n]i32) = first_one a[1:]
