-- What is returned for a loop parameter that may not be consumed cannot be for one that is.
-- at 8
-- ==
-- error: aliases "b"

def f (xs: []i32) =
  loop (a: *[]i32, b: *[]i32) = (copy xs, xs) for i < 3 do
    let a[0] = i in (b, a)
