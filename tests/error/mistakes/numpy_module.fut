-- A function of NumPy by its module.
-- at 6
-- ==
-- error: there is no such module; functions of numbers

def f (xs: []f64) = np.sum xs
