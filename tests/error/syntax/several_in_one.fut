-- Several syntax errors, also in one file, and none that follows from another.
-- at 7 9 13 15
-- ==
-- error: Unexpected

def f (x: i32) = (x + 1
def g (x: i32) =
  let y = [x, 2
  let z = y
  in z
def h (x: i32) =
  let a = x +
  in a * (
    if x > 0 then 1 else x)
def k (x: i32) = if x then
