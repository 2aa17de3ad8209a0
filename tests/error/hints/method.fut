-- A function as a field of an array.
-- at 6
-- ==
-- error: functions come before their arguments: "map

def f (xs: []i32) = xs.map (+ 1)
