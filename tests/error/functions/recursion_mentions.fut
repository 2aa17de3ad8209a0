-- A recursive function with a functional parameter that is mentioned without all of its arguments.
-- at 8 12 16
-- ==
-- error: saturated

def a (g: i32 -> i32) (n: i32) : i32 =
  if n == 0 then 0
  else let h = a g in h (n - 1)

def b (g: i32 -> i32) (n: i32) : i32 =
  if n == 0 then 0
  else n - 1 |> b g

def c (g: i32 -> i32) (n: i32) : i32 =
  if n == 0 then 0
  else i32.sum (map (c g) [n - 1, g 0])
