-- A function of NumPy by its module.
-- at 6
-- ==
-- error: there is i32.sum, i64.sum, f32.sum, f64.sum

def f (xs: []f64) = np.sum xs
