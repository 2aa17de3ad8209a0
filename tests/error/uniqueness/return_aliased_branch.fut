-- A unique result shares memory with a parameter in one branch.
-- at 7
-- ==
-- error: Unique-typed return value is aliased to "v", which is not consumable

def f [n] (c: bool) (v: [n]i64) : *[n]i64 =
  if c then iota n else v
