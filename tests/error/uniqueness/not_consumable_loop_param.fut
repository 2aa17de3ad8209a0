-- A loop parameter declared without a star is consumed.
-- at 8
-- ==
-- error: Consuming variable "b", which is not consumable

def f (n: i64) =
  loop (b: [n]i64) = iota n for _i < 3i32 do
    b with [0] = 1
