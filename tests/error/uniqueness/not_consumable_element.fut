-- The element parameter of a map function is consumed.
-- at 6
-- ==
-- error: Consuming variable "xs", which is not consumable

def f (xss: *[3][4]i32) = map (\xs -> xs with [0] = 1) xss
