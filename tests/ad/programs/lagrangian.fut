-- Lagrangian mechanics: accelerations of a chain of links are first and second derivatives, differentiated
-- once more through a simulation.  Adaptive steps; an outcome that is a sum type.
-- ==
-- entry: accel
-- input { [0.5856492, 0.7368105, 1.301274] [1.082162, 0.5941286, 0.9331269] [-2.019986, -0.2319324, -0.8652131] [3.323, 0.2257866, -0.3526308] }
-- output { [7.168841, -12.65363, -0.5570063] }

-- ==
-- entry: run
-- input { [0.5856492, 0.7368105, 1.301274] [1.082162, 0.5941286, 0.9331269] [-2.019986, -0.2319324, -0.8652131] [3.323, 0.2257866, -0.3526308] 0.01 20i64 }
-- output { [-1.090579, -0.8210454, -0.8922433] [8.579261, -12.31695, 1.141365] 8.982319 8.97693 }

-- ==
-- entry: sens
-- input { [0.5856492, 0.7368105, 1.301274] [1.082162, 0.5941286, 0.9331269] [-2.019986, -0.2319324, -0.8652131] [3.323, 0.2257866, -0.3526308] 0.01 20i64 }
-- output { [-0.03550632, -0.01357253, 0.02366498] [-1.703955, -1.653703, -1.727123] }

-- ==
-- entry: tangent
-- input { [0.5856492, 0.7368105, 1.301274] [1.082162, 0.5941286, 0.9331269] [-2.019986, -0.2319324, -0.8652131] [3.323, 0.2257866, -0.3526308] 0.01 20i64 [-0.2812874, -0.6680463, -1.055151] }
-- output { [-0.2085111, -0.7564219, -0.957988] [1.256624, -4.303551, 3.414301] }

-- ==
-- entry: lorenz_run
-- input { 1.0 [1.0, 1.0, 1.0] [10.0, 28.0, 2.666667] }
-- output { [-9.37857, -8.357034, 29.36233] }

-- ==
-- entry: lorenz_jac
-- input { 1.0 [1.0, 1.0, 1.0] [10.0, 28.0, 2.666667] }
-- output { [[-0.1681545, 0.3099964, -1.717643], [-0.5792739, 0.3131371, 3.537178], [-0.2646244, 0.4461349, 6.110604]] [[-0.1681545, 0.3099964, -1.717643], [-0.5792739, 0.3131371, 3.537178], [-0.2646244, 0.4461349, 6.110604]] }

def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)
def onehot (n: i64) (i: i64) : [n]f64 = tabulate n (\j -> f64.bool (i == j))

-- Kinetic minus potential energy of masses at the ends of links, in angles.
def lagrangian [n] (m: [n]f64) (l: [n]f64) (q: [n]f64) (w: [n]f64) : f64 =
  let xs = scan (+) 0 (map2 (\l q -> l * f64.sin q) l q)
  let ys = scan (+) 0 (map2 (\l q -> - l * f64.cos q) l q)
  let vx = scan (+) 0 (map3 (\l q w -> l * f64.cos q * w) l q w)
  let vy = scan (+) 0 (map3 (\l q w -> l * f64.sin q * w) l q w)
  let _ = xs
  in f64.sum (map3 (\m vx vy -> 0.5 * m * (vx * vx + vy * vy)) m vx vy) - f64.sum (map2 (\m y -> 9.81 * m * y) m ys)

def solve [n] (a: [n][n]f64) (b: [n]f64) : [n]f64 =
  let (_, b) = loop (a, b) = (copy a, copy b) for k < n do
    let pr = map (/ a[k, k]) a[k]
    let pb = b[k] / a[k, k]
    let b' = map2 (\i x -> if i == k then pb else x - a[i, k] * pb) (iota n) b
    let a' = map2 (\i r -> if i == k then pr else map2 (\x p -> x - r[k] * p) r pr) (iota n) a
    in (a', b')
  in b

-- M qdd = dL/dq - (d2L/dw dq) w
def acceleration [n] (L: [n]f64 -> [n]f64 -> f64) (q: [n]f64) (w: [n]f64) : [n]f64 =
  let dLdw q w = vjp (L q) w 1
  let M = map (\i -> jvp (dLdw q) w (onehot n i)) (iota n)
  let c = jvp (\q -> dLdw q w) q w
  let dq = vjp (\q -> L q w) q 1
  in solve M (map2 (-) dq c)

type state [n] = {q: [n]f64, w: [n]f64}
def add [n] (s: f64) (a: state [n]) (b: state [n]) : state [n] =
  {q = map2 (\x y -> x + s * y) a.q b.q, w = map2 (\x y -> x + s * y) a.w b.w}
def rk4 [n] (f: state [n] -> state [n]) (h: f64) (s: state [n]) : state [n] =
  let k1 = f s
  let k2 = f (add (h / 2) s k1)
  let k3 = f (add (h / 2) s k2)
  let k4 = f (add h s k3)
  in add (h / 6) (add (h / 3) (add (h / 3) (add (h / 6) s k1) k2) k3) k4

def simulate [n] (m: [n]f64) (l: [n]f64) (h: f64) (steps: i64) (s: state [n]) : state [n] =
  let f (s: state [n]) : state [n] = {q = s.w, w = acceleration (lagrangian m l) s.q s.w}
  in loop s for _i < steps do rk4 f h s

def energy [n] (m: [n]f64) (l: [n]f64) (s: state [n]) =
  let p = vjp (lagrangian m l s.q) s.w 1
  in dot p s.w - lagrangian m l s.q s.w

entry accel [n] (m: [n]f64) (l: [n]f64) q w = acceleration (lagrangian m l) q w
entry run [n] (m: [n]f64) (l: [n]f64) q w h steps =
  let s = simulate m l h steps {q, w}
  in (s.q, s.w, energy m l {q, w}, energy m l s)
-- Third order: the derivative of the end with respect to masses and the start.
entry sens [n] (m: [n]f64) (l: [n]f64) q w h steps =
  vjp (\(m, q) -> let s = simulate m l h steps {q, w} in dot s.q s.q) (m, q) 1
entry tangent [n] (m: [n]f64) (l: [n]f64) q w h steps (dq: [n]f64) =
  let d = jvp (\q -> simulate m l h steps {q, w}) q dq in (d.q, d.w)

-- Dormand-Prince 5(4) with adaptive steps, with a sum type to report the end.
type outcome [n] = #reached [n]f64 i64 | #gave_up f64
def c_ : [7]f64 = [0, 1/5, 3/10, 4/5, 8/9, 1, 1]
def a_ : [7][6]f64 = [[0, 0, 0, 0, 0, 0], [1/5, 0, 0, 0, 0, 0], [3/40, 9/40, 0, 0, 0, 0], [44/45, -56/15, 32/9, 0, 0, 0],
  [19372/6561, -25360/2187, 64448/6561, -212/729, 0, 0], [9017/3168, -355/33, 46732/5247, 49/176, -5103/18656, 0],
  [35/384, 0, 500/1113, 125/192, -2187/6784, 11/84]]
def e_ : [7]f64 = [71/57600, 0, -71/16695, 71/1920, -17253/339200, 22/525, -1/40]
def dopri [n] (f: f64 -> [n]f64 -> [n]f64) (t1: f64) (tol: f64) (y0: [n]f64) : outcome [n] =
  let (t, y, _, tries) =
    loop (t, y, h, tries) = (0, y0, 0.01, 0i64) while t < t1 && tries < 10000 do
      let h = f64.min h (t1 - t)
      let ks = loop ks = replicate 7 (replicate n 0) for s < 7i64 do
        let ys = map2 (\y k -> y + h * k) y (map (\c -> dot a_[s] (c[:6] :> [6]f64)) (transpose ks))
        in ks with [s] = f (t + c_[s] * h) ys
      let y' = map2 (\y k -> y + h * dot a_[6] (k[:6] :> [6]f64)) y (transpose ks)
      let err = map (\k -> h * dot e_ k) (transpose ks)
      let sc = f64.sqrt (f64.sum (map3 (\e a b -> (e / (tol + tol * f64.max (f64.abs a) (f64.abs b))) ** 2) err y y') / f64.i64 n)
      let fac = f64.min 5 (f64.max 0.2 (0.9 * (1 / f64.max sc 1e-10) ** 0.2))
      in if sc <= 1 then (t + h, y', h * fac, tries + 1) else (t, y, h * fac, tries + 1)
  in if t >= t1 then #reached y tries else #gave_up t
def lorenz (p: [3]f64) (_t: f64) (y: [3]f64) : [3]f64 =
  [p[0] * (y[1] - y[0]), y[0] * (p[1] - y[2]) - y[1], y[0] * y[1] - p[2] * y[2]]
def lorenz_end (t1: f64) (y0: [3]f64) (p: [3]f64) : [3]f64 =
  match dopri (lorenz p) t1 1e-9 y0
  case #reached y _ -> y
  case #gave_up t -> replicate 3 t
entry lorenz_run t1 y0 p = lorenz_end t1 y0 p
entry lorenz_jac t1 y0 p : ([3][3]f64, [3][3]f64) =
  (map (\i -> vjp (lorenz_end t1 y0) p (onehot 3 i)) (iota 3),
   transpose (map (\i -> jvp (lorenz_end t1 y0) p (onehot 3 i)) (iota 3)))
