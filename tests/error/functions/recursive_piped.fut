-- A recursive call with a functional parameter, piped into.
-- at 6
-- ==
-- error: saturated

def f (n: i32) (g: i32 -> i32) : i32 = if n == 0 then g 1 else g |> f (n - 1)
entry main (x: i32) = f x (+ 1)
