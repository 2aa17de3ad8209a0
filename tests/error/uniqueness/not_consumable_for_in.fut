-- An element of a for-in loop is consumed.
-- at 8
-- ==
-- error: Consuming variable "r", which is not consumable

def f (xss: *[3][4]i32) =
  loop s = 0 for r in xss do
    let r' = r with [0] = 1
    in s + r'[0]
