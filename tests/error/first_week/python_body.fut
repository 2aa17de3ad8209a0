-- A Python function of several lines.
-- at 7 8
-- ==
-- error: a function is defined by "def f \(x: f64\) : f64 = \.\.\.", and its value is what follows the "=", without "return"\.

def loss(params, x, y):
    pred = predict(params, x)
    return jnp.mean((pred - y)**2)
