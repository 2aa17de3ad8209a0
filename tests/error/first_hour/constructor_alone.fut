-- A constructor of no known type.
-- at 6
-- ==
-- error: name its type: "\(#a : #a \| #b f64\)", or that of the function's result\.

def f = #circle 1.0
