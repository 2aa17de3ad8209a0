-- A function is used whose body refers to what was consumed: the function is named, too.
-- at 9
-- ==
-- error: Using variable "v", but this was consumed.*Note: "g", which is used here, is a function that may refer to it

def eat (xs: *[]i32) : i32 = xs[0]
def f (v: *[]i32) =
  let g i = v[i] let w = eat v
  in (w, g 0)
