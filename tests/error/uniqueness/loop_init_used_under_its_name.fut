-- The initial value of a loop has two names: the message has the one that the body writes.
-- at 9
-- ==
-- error: Using variable "h", but this was consumed at 8:12-13

def f (v: *[]i64) =
  let h = v in
  loop a = h for _i < 3 do
    a with [0] = h[2]
