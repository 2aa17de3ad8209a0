-- Derivatives of what is found by iteration: solvers of linear equations, roots, fixed points, transport, both
-- through the loops and by the adjoint equations.
-- ==
-- entry: heat_through
-- input { [1.869215, 1.56231, 1.331745, 1.884857, 0.6345962, 1.055197, 1.408908, 1.216595] [-0.5937676, -1.463914, 0.5532782, 0.02167112, 0.5094465, 0.09130283, -0.353859, 0.02812934] }
-- output { [-1.088387, -0.1858678, -0.08309624, -0.1372134, -0.05399215, 0.04820382, 0.0005711883, -0.0472892] [-1.54796, -2.530183, -2.428544, -1.995716, -1.377667, -1.022898, -0.8686991, -0.5018918] }

-- ==
-- entry: heat_implicit
-- input { [1.869215, 1.56231, 1.331745, 1.884857, 0.6345962, 1.055197, 1.408908, 1.216595] [-0.5937676, -1.463914, 0.5532782, 0.02167112, 0.5094465, 0.09130283, -0.353859, 0.02812934] }
-- output { [-1.088387, -0.1858678, -0.08309624, -0.1372134, -0.05399215, 0.04820382, 0.0005711883, -0.0472892] [-1.54796, -2.530183, -2.428544, -1.995716, -1.377667, -1.022898, -0.8686991, -0.5018918] }

-- ==
-- entry: kepler_grad
-- input { [0.4987373, 0.6256769, 0.06291912, 0.74499, 0.6102334, 0.2567713] [0.5679961, 1.787859, 1.784068, 0.8024051, 0.5081784, 2.299402] }
-- output { [-0.1947522, -1.835375, -3.437054, -0.2525191, -0.1255753, -4.147775] [0.5223667, 1.966285, 3.476651, 0.5608901, 0.4021065, 4.736043] [-0.1947522, -1.835375, -3.437054, -0.2525191, -0.1255753, -4.147775] [0.5223667, 1.966285, 3.476651, 0.5608901, 0.4021065, 4.736043] }

-- ==
-- entry: deq
-- input { [[-0.1436862, -0.1210351, -0.0526188, 0.1460044, -0.1466973, -0.01369916], [-0.09195809, 0.048693, 0.05957037, -0.2197868, 0.3580293, 0.02844051], [-0.07639983, -0.1340986, -0.03892654, 0.004772509, 0.08927376, 0.0008431612], [0.07259234, -0.2414927, -0.1128576, -0.1509836, 0.02468802, 0.06869986], [-0.2199129, -0.0251893, 0.1088191, 0.1372617, -0.1673087, 0.08443844], [0.05075688, -0.0653888, 0.2944536, -0.1678077, -0.04160606, 0.0682196]] [0.2431153, -0.1712427, 1.376889, 1.445345, 0.9126731, 1.001646] }
-- output { [[0.1245, -0.01804014, 0.6340207, 0.6177729, 0.5532864, 0.5851561], [0.1447706, -0.02097736, 0.7372493, 0.7183561, 0.6433701, 0.6804287], [0.04214838, -0.006107331, 0.2146421, 0.2091416, 0.1873102, 0.1980994], [0.03930347, -0.005695101, 0.2001543, 0.195025, 0.1746673, 0.1847282], [0.07888533, -0.01143054, 0.4017264, 0.3914315, 0.3505718, 0.370765], [0.06282052, -0.009102739, 0.3199158, 0.3117174, 0.2791786, 0.2952595]] [0.7150212, 0.831438, 0.2420642, 0.2257254, 0.4530498, 0.3607872] [[0.1245, -0.01804014, 0.6340207, 0.6177729, 0.5532864, 0.5851561], [0.1447706, -0.02097736, 0.7372493, 0.7183561, 0.6433701, 0.6804287], [0.04214838, -0.006107331, 0.2146421, 0.2091416, 0.1873102, 0.1980994], [0.03930347, -0.005695101, 0.2001543, 0.195025, 0.1746673, 0.1847282], [0.07888533, -0.01143054, 0.4017264, 0.3914315, 0.3505718, 0.370765], [0.06282052, -0.009102739, 0.3199158, 0.3117174, 0.2791786, 0.2952595]] [0.7150212, 0.831438, 0.2420642, 0.2257254, 0.4530498, 0.3607872] }

-- ==
-- entry: sink
-- input { 0.3 [[-0.05493158, -1.164796], [2.187781, -0.9575219], [2.229274, -0.127106], [0.2318123, -0.1691532], [0.9581159, -0.5080782], [1.843204, 0.5350284], [0.1746258, -0.5700719]] [[0.2805536, -0.003246873], [1.899982, 0.9361155], [-1.559985, 1.529097], [-2.373178, 1.540836], [-1.885975, 0.0007678135]] }
-- output { 6.028547 [[0.5260635, -0.305468], [0.5871248, -0.2463644], [0.155474, -0.2670023], [0.7297041, -0.5016097], [0.6502877, -0.5760897], [0.2630572, -0.1219407], [0.6916493, -0.4361222]] }

type csr [n][k] = {off: [n]i64, len: [n]i64, col: [k]i64, vals: [k]f64}
def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)
def norm2 [n] (a: [n]f64) = dot a a
def axpy [n] (s: f64) (x: [n]f64) (y: [n]f64) = map2 (\x y -> s * x + y) x y
def spmv [n][k] (m: csr [n][k]) (x: [n]f64) : [n]f64 =
  map2 (\o l -> loop s = 0 for j < l do s + m.vals[o + j] * x[m.col[o + j]]) m.off m.len
def spmv_hist [n][k] (rows: [k]i64) (cols: [k]i64) (vals: [k]f64) (x: [n]f64) : [n]f64 =
  hist (+) 0 n rows (map2 (\c v -> v * x[c]) cols vals)

def cg [n] (a: [n]f64 -> [n]f64) (tol: f64) (b: [n]f64) : ([n]f64, i32) =
  let (x, _, _, _, it) =
    loop (x, r, p, rr, it) = (replicate n 0, b, b, norm2 b, 0i32) while rr > tol * tol && it < 1000 do
      let ap = a p
      let al = rr / dot p ap
      let r' = axpy (-al) ap r
      let rr' = norm2 r'
      in (axpy al p x, r', axpy (rr' / rr) p r', rr', it + 1)
  in (x, it)
def bicgstab [n] (a: [n]f64 -> [n]f64) (tol: f64) (b: [n]f64) : [n]f64 =
  let r0 = b
  let (x, _, _, _, _, _, _, _) =
    loop (x, r, p, v, rho, al, om, it) = (replicate n 0, b, replicate n 0, replicate n 0, 1f64, 1f64, 1f64, 0i32) while norm2 r > tol * tol && it < 1000 do
      let rho' = dot r0 r
      let be = rho' / rho * al / om
      let p = map3 (\r p v -> r + be * (p - om * v)) r p v
      let v = a p
      let al = rho' / dot r0 v
      let s = axpy (-al) v r
      let t = a s
      let om = dot t s / norm2 t
      in (map3 (\x p s -> x + al * p + om * s) x p s, axpy (-om) t s, p, v, rho', al, om, it + 1)
  in x
def gmres [n] (m: i64) (a: [n]f64 -> [n]f64) (b: [n]f64) : [n]f64 =
  let beta = f64.sqrt (norm2 b)
  let (q, h) =
    loop (q, h) = (replicate (m + 1) (replicate n 0) with [0] = map (/ beta) b, replicate (m + 1) (replicate m 0)) for k < m do
      let w = a q[k]
      let (w, h) = loop (w, h) for i < k + 1 do
        let c = dot q[i] w
        in (axpy (-c) q[i] w, h with [i, k] = c)
      let nw = f64.sqrt (norm2 w)
      in (q with [k + 1] = map (/ nw) w, h with [k + 1, k] = nw)
  -- Least squares by Givens rotations.
  let (h, g) =
    loop (h, g) = (h, replicate (m + 1) 0 with [0] = beta) for k < m do
      let r = f64.hypot h[k, k] h[k + 1, k]
      let (c, s) = (h[k, k] / r, h[k + 1, k] / r)
      let (u, v) = (copy h[k], copy h[k + 1])
      let h = h with [k] = map2 (\x y -> c * x + s * y) u v
      let h = h with [k + 1] = map2 (\x y -> c * y - s * x) u v
      let (gk, gn) = (g[k], g[k + 1])
      let g = g with [k] = c * gk + s * gn
      let g = g with [k + 1] = c * gn - s * gk
      in (h, g)
  let y = loop y = replicate m 0 for j < m do
    let i = m - 1 - j
    let v = (g[i] - dot h[i] y) / h[i, i]
    in y with [i] = v
  in map (\col -> dot y col) (transpose q[:m])

entry solve_cg [n][k] (off: [n]i64) (len: [n]i64) (col: [k]i64) (vals: [k]f64) (b: [n]f64) = (cg (spmv {off, len, col, vals}) 1e-12 b).0
entry solve_bicg [n][k] (off: [n]i64) (len: [n]i64) (col: [k]i64) (vals: [k]f64) (b: [n]f64) = bicgstab (spmv {off, len, col, vals}) 1e-12 b
entry solve_gmres [n][k] (off: [n]i64) (len: [n]i64) (col: [k]i64) (vals: [k]f64) (b: [n]f64) = gmres n (spmv {off, len, col, vals}) b

-- Heat conduction with conductivities: reverse mode straight through the while loop of cg.
def stiffness [n] (k: [n]f64) (u: [n]f64) : [n]f64 =
  tabulate n (\i ->
    let l = if i == 0 then u[i] else u[i] - u[i - 1]
    let r = if i == n - 1 then u[i] else u[i] - u[i + 1]
    let kr = if i == n - 1 then k[i] else (k[i] + k[i + 1]) / 2
    let kl = if i == 0 then k[0] else (k[i] + k[i - 1]) / 2
    in kl * l + kr * r)
entry heat_through [n] (k: [n]f64) (b: [n]f64) : ([n]f64, [n]f64) =
  vjp (\(k, b) -> norm2 (cg (stiffness k) 1e-13 b).0) (k, b) 1
-- The same by the implicit function theorem: lambda = A^-1 dx, dk = -lambda' dA/dk x.
entry heat_implicit [n] (k: [n]f64) (b: [n]f64) : ([n]f64, [n]f64) =
  let x = (cg (stiffness k) 1e-13 b).0
  let lam = (cg (stiffness k) 1e-13 (map (2 *) x)).0
  in (vjp (\k -> stiffness k x) k (map f64.neg lam), lam)

-- Newton root of x + a sin x = b, with its own derivative, inside a sum; forward and reverse.
def kepler_fwd (a: f64, b: f64) : f64 = loop x = b for _i < 30i32 do x - (x + a * f64.sin x - b) / (1 + a * f64.cos x)
def kepler : (f64, f64) -> f64 =
  with_vjp_tape (\(a, b) -> let x = kepler_fwd (a, b) in ((a, x), x))
                (\((a, x), x') -> let d = x' / (1 + a * f64.cos x) in (-(d * f64.sin x), d))
entry kepler_grad [n] (a: [n]f64) (b: [n]f64) : ([n]f64, [n]f64, [n]f64, [n]f64) =
  let f (k: (f64, f64) -> f64) (a: [n]f64, b: [n]f64) = f64.sum (map2 (\a b -> let x = k (a, b) in x * x) a b)
  let (p, q) = vjp (f kepler) (a, b) 1
  let (r, s) = vjp (f kepler_fwd) (a, b) 1
  in (p, q, r, s)

-- Deep equilibrium: z = tanh(W z + x) iterated until it moves no more; gradient by vjp of the loop and by the adjoint equation.
def step [n] (w: [n][n]f64) (x: [n]f64) (z: [n]f64) = map2 (\r x -> f64.tanh (dot r z + x)) w x
def equilibrium [n] (w: [n][n]f64) (x: [n]f64) : [n]f64 =
  (loop (z, d, i) = (replicate n 0, 1f64, 0i32) while d > 1e-14 && i < 500 do
    let z' = step w x z
    in (z', f64.maximum (map2 (\a b -> f64.abs (a - b)) z z'), i + 1)).0
entry deq [n] (w: [n][n]f64) (x: [n]f64) : ([n][n]f64, [n]f64, [n][n]f64, [n]f64) =
  let (a, b) = vjp (\(w, x) -> f64.sum (equilibrium w x)) (w, x) 1
  let z = equilibrium w x
  let one = replicate n 1
  let u = loop u = one for _i < 200i32 do map2 (+) one (vjp (step w x) z u)
  let (c, d) = vjp (\(w, x) -> step w x z) (w, x) u
  in (a, b, c, d)

-- Sinkhorn distances.
def sinkhorn [n][m] (eps: f64) (iters: i32) (c: [n][m]f64) (a: [n]f64) (b: [m]f64) : f64 =
  let lse [k] (v: [k]f64) = let m = f64.maximum v in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) v))
  let (f, g) = loop (_, g) = (replicate n 0, replicate m 0) for _i < iters do
    let f = map2 (\row a -> -eps * lse (map2 (\c g -> (g - c) / eps) row g) + eps * f64.log a) c a
    let g = map2 (\col b -> -eps * lse (map2 (\c f -> (f - c) / eps) col f) + eps * f64.log b) (transpose c) b
    in (f, g)
  in f64.sum (map2 (\row fi -> f64.sum (map2 (\c gj -> c * f64.exp ((fi + gj - c) / eps)) row g)) c f)
entry sink [n][m] (eps: f64) (x: [n][2]f64) (y: [m][2]f64) : (f64, [n][2]f64) =
  let f x = sinkhorn eps 50 (map (\p -> map (\q -> (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2) y) x) (replicate n (1 / f64.i64 n)) (replicate m (1 / f64.i64 m))
  in vjp2 f x 1
