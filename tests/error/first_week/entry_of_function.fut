-- A function from outside.
-- at 6
-- ==
-- error: functions cannot be passed in from outside; a number or a sum type may say which one to apply\.

entry f (g: f64 -> f64) (x: f64) = g x
