-- An update of an array in a record needs the record to be consumable.
-- at 6
-- ==
-- error: Consuming variable "r", which is not consumable

def f (r: {a: []i32, b: i32}) = r with a[0] = 1
