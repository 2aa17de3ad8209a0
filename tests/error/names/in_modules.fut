-- A name that modules of types have.
-- at 6
-- ==
-- error: Unknown name "sqrt".*Hint: there is f32\.sqrt, f64\.sqrt\.

entry main (x: f64) = sqrt x
