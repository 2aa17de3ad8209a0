-- Derivatives of derivatives: values that several directions share are differentiated once.
def distance (x: [2]f64) (y: [2]f64) : f64 =
  f64.sqrt (f64.sum (map2 (\a b -> (a - b) * (a - b)) x y))
def potential (w: f64) (x: [2]f64) : f64 = 1 / distance x [3, w] + f64.log (1 + x[0] * x[0])
def gradient_f (f: [2]f64 -> f64) (x: [2]f64) : [2]f64 =
  tabulate 2 (\i -> jvp f x (tabulate 2 (\j -> f64.bool (i == j))))
def gradient_r (f: [2]f64 -> f64) (x: [2]f64) : [2]f64 = vjp f x 1

-- A force that depends on w, by w: closed form beside all four ways.
-- ==
-- entry: by_rf by_rr by_ff by_fr
-- input { 1.0 [0.0, 5.0] } output { [0.01152, -0.00736] }
entry by_rf (w: f64) (x: [2]f64) : [2]f64 =
  tabulate 2 (\k -> vjp (\w -> (gradient_f (potential w) x)[k]) w 1)
entry by_rr (w: f64) (x: [2]f64) : [2]f64 =
  tabulate 2 (\k -> vjp (\w -> (gradient_r (potential w) x)[k]) w 1)
entry by_ff (w: f64) (x: [2]f64) : [2]f64 = jvp (\w -> gradient_f (potential w) x) w 1
entry by_fr (w: f64) (x: [2]f64) : [2]f64 = jvp (\w -> gradient_r (potential w) x) w 1

-- Third derivatives, one of the levels in a function that is called.
-- ==
-- entry: third
-- input { 2.0 } output { 24.0 }
#[noinline]
def second (x: f64) : f64 = jvp (\y -> vjp (\z -> z * z * z * z) y 1) x 1
entry third (x: f64) : f64 = jvp second x 0.5
