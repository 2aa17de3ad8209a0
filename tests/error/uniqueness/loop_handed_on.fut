-- A parameter that takes turns with a consumed one must be consumable itself.
-- at 7
-- ==
-- error: Consuming variable "b", which is not consumable

def f (a: *[]i32) (b: []i32) =
  loop (a, b) for _i < 3i32 do
    let a[0] = b[0]
    in (b, a)
