-- A field is used after the consumption of the same field.
-- at 8
-- ==
-- error: Using variable "r", but this was consumed

def f (r: *{a: []i32, b: []i32}) =
  let a = r.a with [0] = 1
  in (a, r.a)
