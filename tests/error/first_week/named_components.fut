-- A tuple with names.
-- at 6
-- ==
-- error: a type with names for its components is a record: "\{x: f64, y: f64\}"\.

type point = (x: f64, y: f64)
