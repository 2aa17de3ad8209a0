-- What the inner loop keeps is kept by the outer one: it runs once, and once backwards.
-- structure soac: loop 4
-- ==
-- input { [[0.5, 0.3], [0.2, 0.9]] [0.4, 0.7] [0.1, 0.2, 0.3] }
def run [n][m] (w: [m][2]f64) (s: [n]f64) (x: [m]f64) : f64 =
  f64.sum (loop state = copy x for t < n do
    (loop (state, v) = (state, s[t]) for k < m do
       let h = f64.tanh (w[k, 0] * state[k] + v * w[k, 1])
       let state[k] = h
       in (state, h * v)).0)
entry main [n][m] (w: [m][2]f64) (x: [m]f64) (s: [n]f64) : [m][2]f64 =
  vjp (\w -> run w s x) w 1
