-- The type of NumPy or Julia.
-- at 6
-- ==
-- error: this type is called f64

def f (x: Float64) = x
