-- The field of an array of records.
-- at 6
-- ==
-- error: the field of each element is "map \(\.x\) xs"\.

def f (ps: []{x: f64}) = ps.x
