-- An entry point for all types.
-- at 6
-- ==
-- error: make it a "def", and write an entry point for each type that is needed: "entry f_f64 \(x: f64\) = f x"\.

entry f 'a (x: a) = x
