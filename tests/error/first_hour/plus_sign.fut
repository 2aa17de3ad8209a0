-- A plus sign before a number.
-- at 6
-- ==
-- error: "\+" stands between two operands; a number without a sign is positive\.

def f (x: f64) = +x
