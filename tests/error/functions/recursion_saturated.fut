-- A recursive function with a functional parameter gives all arguments wherever it mentions itself.
-- at 7 10 14
-- ==
-- error: must be fully saturated

def walk (k: i64) (h: f32 -> f32) (x: f32) : f32 =
  if k == 0 then x else f32.sum (map (walk (k - 1) h) [h x, x])

def named (h: i32 -> i32) (k: i32) : i32 =
  if k == 0 then h 1 else let again = named h in again (k - 1)

def apply 'a 'b (f: a -> b) (x: a) = f x
def piped (h: i32 -> i32) (k: i32) : i32 =
  if k == 0 then h 1 else (k - 1) |> piped h
