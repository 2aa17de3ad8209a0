-- A name with a Greek letter.
-- at 6
-- ==
-- error: names consist of the letters a to z and A to Z, digits, "_" and "'"\.

def f (Δt: f64) = Δt * 2
