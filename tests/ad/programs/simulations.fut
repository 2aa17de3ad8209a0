-- Simulations with records in arrays: cloth of springs, bodies that attract each other; mixtures fitted by EM,
-- queens as masks, splines, and a tree of points in an array.
-- ==
-- entry: cloth
-- input { 4i64 5i64 30i64 50.0 0.3 }
-- output { [[0.0, 0.0, 0.0], [0.249996, -0.01814106, -1.877325e-12], [0.5, -0.01814121, -1.354284e-11], [0.750004, -0.01814106, -1.328229e-08], [1.0, 0.0, 0.0], [-1.858736e-12, -0.01814106, 0.249996], [0.249998, -0.01814113, 0.249998], [0.5, -0.01814121, 0.25], [0.75, -0.01814121, 0.25], [1.0, -0.01814106, 0.249996], [-9.356946e-15, -0.01814121, 0.5], [0.25, -0.01814121, 0.5], [0.5, -0.01814121, 0.5], [0.75, -0.01814121, 0.5], [1.0, -0.01814121, 0.5], [-1.863312e-14, -0.01814121, 0.75], [0.25, -0.01814121, 0.75], [0.5, -0.01814121, 0.75], [0.75, -0.01814121, 0.75], [1.0, -0.01814121, 0.75]] }

-- ==
-- entry: cloth_grad
-- input { 4i64 5i64 30i64 50.0 0.3 }
-- output { 1.410312e-08 0.006296701 }

-- ==
-- entry: bodies
-- input { 8i64 0.05 [[-1.103338, -0.7250246, -0.7818053], [0.2669759, -0.2485807, 0.1264831], [0.8430426, 0.8579365, 0.4751836], [-0.4507686, -0.7549323, -0.8148141], [-0.3438549, -0.05138009, -0.9722737], [-1.134488, 0.3057052, -1.851685]] [[-0.05311605, 0.1277477, -0.2956067], [-0.3338862, -0.2281878, 0.1944074], [-0.03894941, -0.5608792, -0.1270047], [0.304169, 0.2951146, 0.1890126], [-0.07141764, -0.553482, 0.05087332], [-0.05279333, 0.02303996, 0.4626912]] [0.6914123, 0.8245395, 0.9187819, 0.888016, 0.6697578, 0.5742844] }
-- output { [[-0.8848527, -0.6031703, -0.8978317], [0.09467429, -0.3176865, 0.1299707], [0.7839764, 0.5800345, 0.3910362], [-0.41885, -0.4038124, -0.8186915], [-0.4351773, -0.562595, -0.7776097], [-1.10706, 0.2611807, -1.589676]] }

-- ==
-- entry: bodies_grad
-- input { 8i64 0.05 [[-1.103338, -0.7250246, -0.7818053], [0.2669759, -0.2485807, 0.1264831], [0.8430426, 0.8579365, 0.4751836], [-0.4507686, -0.7549323, -0.8148141], [-0.3438549, -0.05138009, -0.9722737], [-1.134488, 0.3057052, -1.851685]] [[-0.05311605, 0.1277477, -0.2956067], [-0.3338862, -0.2281878, 0.1944074], [-0.03894941, -0.5608792, -0.1270047], [0.304169, 0.2951146, 0.1890126], [-0.07141764, -0.553482, 0.05087332], [-0.05279333, 0.02303996, 0.4626912]] [0.6914123, 0.8245395, 0.9187819, 0.888016, 0.6697578, 0.5742844] }
-- output { [[-2.586086, -1.339883, -1.696483], [0.3646253, -0.7069639, 0.5251511], [1.735653, 1.371818, 0.9217079], [-0.4701909, -1.200614, -2.099611], [-0.5780684, -0.9473484, -1.307586], [-2.400511, 0.7308929, -3.468784]] [[-0.8245444, -0.5093721, -0.7100084], [0.09903101, -0.2637863, 0.1438101], [0.6513104, 0.4928334, 0.3317542], [-0.3175241, -0.42003, -0.7770204], [-0.2709474, -0.3766816, -0.5280998], [-0.9111567, 0.2401975, -1.310678]] [0.1326935, -0.4318625, -0.147186, -0.4389194, -0.499368, 0.07808499] }

-- ==
-- entry: fit_em
-- input { [[-0.1248191, -0.6340162], [-1.006457, 1.72107], [1.106609, -1.503653], [-1.052435, 0.584012], [-0.5883648, 0.01516341], [0.8140116, 0.1287891], [-0.1292164, -0.4735992], [-0.08642261, 0.3866843], [1.734767, 1.065003], [-0.199447, 0.9165647], [4.058571, 3.259308], [3.946674, 4.497344], [3.701819, 4.467995], [3.846659, 4.013245], [3.404425, 5.035089], [4.226719, 4.504215], [3.773645, 3.268298], [4.605804, 3.644068], [4.826026, 3.914449], [4.812265, 3.635487], [3.118006, 4.349045], [3.965976, 3.99864], [4.524354, 3.558924], [3.352685, 3.415782], [3.158917, 3.095689], [3.357381, 3.512998], [3.770532, 3.39282], [3.925167, 4.365623], [3.87413, 4.189818], [3.52133, 4.118573]] [[0.0, 1.0], [3.0, 3.0]] 60i64 }
-- output { [0.3333338, 0.6666662] [[0.04682703, 0.2206061], [3.888555, 3.911871]] [0.7632808, 0.2546548] -74.17336 0.0 }

-- ==
-- entry: queens
-- input { 6i64 }
-- output { 4i64 }
-- input { 8i64 }
-- output { 92i64 }

-- ==
-- entry: spline
-- input { [0.5373271, 0.6263968, 0.709844, 1.7556, 1.792332, 1.832451, 2.681031, 2.905248, 4.723115] [0.5951426, 0.6140236, -0.2949284, 0.4782446, 0.6968138, 0.3041661, 1.219672, -0.3511207, 0.01618667] [2.569843, 2.541718, 2.925613, 1.09924, 1.451535, 1.916886, 2.704979, 1.249938, 4.321935, 1.2346, 4.008535, 1.320094] }
-- output { [1.300661, 1.239725, -0.5117985, -2.893696, -1.968508, -0.5353565, 1.122372, -2.811713, -1.635258, -2.843344, -2.614227, -2.60518] [1.662977, 2.649803, -7.752549, -1.229729, 5.974095, -7.057577, -4.657571, 2.224823, 3.715664, 1.898716, 2.409438, 3.642814] [1.468898, -9.519521, 10.25586, 26.02633, -31.82241, 9.859181, 0.9923118, 3.591182, 1.148165] }

-- ==
-- entry: kd
-- input { [[-0.300763, 0.2317466], [0.3223972, 0.9564287], [-0.07028496, -0.6253896], [0.7166365, 0.2326402], [0.8800571, 0.07753531], [0.4223207, 0.284738], [0.62104, -1.063147], [-0.2016971, 0.08095499], [1.600504, -0.1661479], [0.3594659, -0.2701686], [-2.134623, 1.138114], [0.5767573, 1.141035], [-1.438176, 0.1870192], [0.08081262, -1.64181], [0.3684901, -0.6932454], [0.3936755, -1.734648], [-0.9640295, -0.7935321], [-1.600139, -0.03704623], [1.203427, -0.1108487], [0.5317879, 1.364831], [0.4575794, -0.458981], [-1.987969, 0.2588164], [-0.4131969, -0.5407733], [0.6318458, 0.4549486], [-1.639343, 0.1538272], [-0.4064209, 0.7606831], [-0.1058449, 0.8322633], [-0.7404144, -0.4788125], [-0.6209994, -0.2636706], [-0.3232441, 1.094866], [-1.057113, -0.0002689729]] [[-1.239906, -1.512596], [-0.6728595, -1.577083], [0.08995686, -0.8099009], [-0.611682, 0.3646226], [1.457504, -0.6090286], [-2.021839, -0.4760118], [-0.0866087, 1.045857], [-0.1192078, -0.9508601], [0.8427689, 1.004267], [-0.2570272, 0.2209992], [0.2945445, 2.502902], [-0.6517212, -0.4637419], [-0.1496838, 0.6629352], [-0.3431917, 0.4619779], [0.8475681, 1.915585], [-0.1945177, -0.347915], [-0.3680714, -1.876686], [-1.205442, 0.1125651], [0.1143799, 2.529809], [1.193629, 0.7309509]] }
-- output { [0.7701691, 0.7564465, 0.2443805, 0.3381223, 0.4653946, 0.6087048, 0.214458, 0.3291268, 0.2991115, 0.04503698, 1.162537, 0.08996444, 0.1749109, 0.2341081, 0.6348602, 0.2915731, 0.5066199, 0.186368, 1.237499, 0.6259216] }

type vec = {x: f64, y: f64, z: f64}
def (+^) (a: vec) (b: vec) : vec = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def (-^) (a: vec) (b: vec) : vec = {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}
def (*^) (s: f64) (a: vec) : vec = {x = s * a.x, y = s * a.y, z = s * a.z}
def vdot (a: vec) (b: vec) = a.x * b.x + a.y * b.y + a.z * b.z
def zero : vec = {x = 0, y = 0, z = 0}

type particle = {pos: vec, vel: vec, fixed: bool}
type spring = {a: i64, b: i64, rest: f64}
def springs (n: i64) (m: i64) : []spring =
  let at i j = i * m + j
  let d = 1 / f64.i64 (m - 1)
  let hor = flatten (tabulate_2d n (m - 1) (\i j -> {a = at i j, b = at i (j + 1), rest = d}))
  let ver = flatten (tabulate_2d (n - 1) m (\i j -> {a = at i j, b = at (i + 1) j, rest = d}))
  let dia = flatten (tabulate_2d (n - 1) (m - 1) (\i j -> {a = at i j, b = at (i + 1) (j + 1), rest = d * f64.sqrt 2}))
  in hor ++ ver ++ dia
def cloth_step [p][q] (k: f64) (damp: f64) (dt: f64) (ss: [q]spring) (ps: [p]particle) : [p]particle =
  let forces = map (\s ->
    let d = ps[s.b].pos -^ ps[s.a].pos
    let l = f64.sqrt (vdot d d)
    in (k * (l - s.rest) / l) *^ d) ss
  let acc = reduce_by_index (replicate p zero) (+^) zero (map (.a) ss ++ map (.b) ss) (forces ++ map (-1 *^) forces)
  in map2 (\f pt ->
             if pt.fixed then pt
             else let v = ((1 - damp * dt) *^ pt.vel) +^ (dt *^ (f +^ {x = 0, y = -9.81, z = 0}))
                  in pt with vel = v with pos = pt.pos +^ (dt *^ v)) acc ps
def cloth_init (n: i64) (m: i64) : []particle =
  flatten (tabulate_2d n m (\i j -> {pos = {x = f64.i64 j / f64.i64 (m - 1), y = 0, z = f64.i64 i / f64.i64 (m - 1)}, vel = zero, fixed = i == 0 && (j == 0 || j == m - 1)}))
def cloth_end (n: i64) (m: i64) (steps: i64) (k: f64) (damp: f64) : []particle =
  let ss = springs n m
  in loop ps = cloth_init n m for _i < steps do cloth_step k damp 0.002 ss ps
entry cloth n m steps k damp : [][3]f64 = map (\p -> [p.pos.x, p.pos.y, p.pos.z]) (cloth_end n m steps k damp)
entry cloth_grad n m steps k damp : (f64, f64) =
  vjp (\(k, damp) -> f64.sum (map (\p -> p.pos.y) (cloth_end n m steps k damp))) (k, damp) 1

type body = {p: vec, v: vec, m: f64}
def accel [n] (eps: f64) (ps: [n]vec) (ms: [n]f64) (p: vec) : vec =
  reduce (+^) zero (map2 (\q m -> let d = q -^ p
                                  let r2 = vdot d d + eps
                                  in (m / (r2 * f64.sqrt r2)) *^ d) ps ms)
def nbody [n] (steps: i64) (dt: f64) (bs: [n]body) : [n]body =
  let ms = map (.m) bs
  in loop bs for _i < steps do
       let ps = map (.p) bs
       let bs = map (\b -> b with v = b.v +^ ((dt / 2) *^ accel 0.01 ps ms b.p)) bs
       let bs = map (\b -> b with p = b.p +^ (dt *^ b.v)) bs
       let ps = map (.p) bs
       in map (\b -> b with v = b.v +^ ((dt / 2) *^ accel 0.01 ps ms b.p)) bs
def mk [n] (p: [n][3]f64) (v: [n][3]f64) (m: [n]f64) : [n]body =
  let g (a: [3]f64) = {x = a[0], y = a[1], z = a[2]}
  in map3 (\p v m -> {p = g p, v = g v, m}) p v m
entry bodies [n] steps dt (p: [n][3]f64) (v: [n][3]f64) (m: [n]f64) : [n][3]f64 = map (\b -> [b.p.x, b.p.y, b.p.z]) (nbody steps dt (mk p v m))
entry bodies_grad [n] steps dt (p: [n][3]f64) (v: [n][3]f64) (m: [n]f64) : ([n][3]f64, [n][3]f64, [n]f64) =
  vjp (\(p, v, m) -> f64.sum (map (\b -> vdot b.p b.p) (nbody steps dt (mk p v m)))) (p, v, m) 1

-- EM for a mixture of spherical Gaussians; the M step checked to make the gradient of the bound vanish.
type mixture [k][d] = {w: [k]f64, mu: [k][d]f64, s: [k]f64}
def logpdf [d] (mu: [d]f64) (s: f64) (x: [d]f64) : f64 =
  -0.5 * f64.sum (map2 (\a b -> (a - b) ** 2) x mu) / s - 0.5 * f64.i64 d * f64.log (2 * f64.pi * s)
def loglik [n][k][d] (xs: [n][d]f64) (m: mixture [k][d]) : f64 =
  f64.sum (map (\x -> let l = map3 (\w mu s -> f64.log w + logpdf mu s x) m.w m.mu m.s
                      let z = f64.maximum l
                      in z + f64.log (f64.sum (map (\v -> f64.exp (v - z)) l))) xs)
def em [n][k][d] (xs: [n][d]f64) (m: mixture [k][d]) : mixture [k][d] =
  let r = map (\x -> let l = map3 (\w mu s -> f64.log w + logpdf mu s x) m.w m.mu m.s
                     let z = f64.maximum l
                     let e = map (\v -> f64.exp (v - z)) l
                     let t = f64.sum e
                     in map (/ t) e) xs
  let nk = map f64.sum (transpose r)
  let mu = map2 (\rk n -> map (\c -> f64.sum (map2 (*) rk c) / n) (transpose xs)) (transpose r) nk
  let s = map3 (\rk n mu -> f64.sum (map2 (\r x -> r * f64.sum (map2 (\a b -> (a - b) ** 2) x mu)) rk xs) / (n * f64.i64 d)) (transpose r) nk mu
  in {w = map (/ f64.i64 n) nk, mu, s}
entry fit_em [n][k][d] (xs: [n][d]f64) (mu: [k][d]f64) (iters: i64) : ([k]f64, [k][d]f64, [k]f64, f64, f64) =
  let m0 = {w = replicate k (1 / f64.i64 k), mu, s = replicate k 1}
  let m = loop m = m0 for _i < iters do em xs m
  let g = vjp (loglik xs) m 1
  in (m.w, m.mu, m.s, loglik xs m, f64.maximum (map (\r -> f64.maximum (map f64.abs r)) g.mu))

-- n-queens: partial solutions as masks, extended all at once.
type board = {cols: u32, d1: u32, d2: u32}
entry queens (n: i64) : i64 =
  let full = (1u32 << u32.i64 n) - 1
  let bs = loop bs = [{cols = 0, d1 = 0, d2 = 0} : board] for _row < n do
    let ext = map (\b -> map (\j ->
      let bit = 1u32 << u32.i64 j
      in if (b.cols | b.d1 | b.d2) & bit != 0 then (false, b)
         else (true, {cols = b.cols | bit, d1 = ((b.d1 | bit) << 1) & full, d2 = (b.d2 | bit) >> 1})) (iota n)) bs
    in map (.1) (filter (.0) (flatten ext))
  in length bs

-- Natural cubic spline: tridiagonal system, evaluation by binary search.
def spline_moments [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  let h i = xs[i + 1] - xs[i]
  let (c, d) = loop (c, d) = (replicate n 0, replicate n 0) for i in 1..<n - 1 do
    let a = h (i - 1)
    let b = 2 * (h (i - 1) + h i)
    let r = 6 * ((ys[i + 1] - ys[i]) / h i - (ys[i] - ys[i - 1]) / h (i - 1))
    let w = b - a * c[i - 1]
    let di = (r - a * d[i - 1]) / w
    in (c with [i] = h i / w, d with [i] = di)
  in loop m = replicate n 0 for j < n - 2 do
       let i = n - 2 - j
       let v = d[i] - c[i] * m[i + 1]
       in m with [i] = v
def spline_at [n] (xs: [n]f64) (ys: [n]f64) (m: [n]f64) (x: f64) : f64 =
  let (i, _) = loop (l, h) = (0, n - 1) while h - l > 1 do let k = (l + h) / 2 in if xs[k] <= x then (k, h) else (l, k)
  let h = xs[i + 1] - xs[i]
  let (a, b) = (xs[i + 1] - x, x - xs[i])
  in (m[i] * a ** 3 + m[i + 1] * b ** 3) / (6 * h) + (ys[i] / h - m[i] * h / 6) * a + (ys[i + 1] / h - m[i + 1] * h / 6) * b
entry spline [n][q] (xs: [n]f64) (ys: [n]f64) (qs: [q]f64) : ([q]f64, [q]f64, [n]f64) =
  let m = spline_moments xs ys
  in (map (spline_at xs ys m) qs, map (\x -> jvp (spline_at xs ys m) x 1) qs,
      vjp (\ys -> let m = spline_moments xs ys in f64.sum (map (spline_at xs ys m) qs)) ys 1)

-- k-d tree in an array, built level by level with sorting of ranges; nearest neighbour with a stack.
def merge_sort [n] 't (leq: t -> t -> bool) (xs: [n]t) : [n]t =
  (loop (xs, w) = (copy xs, 1) while w < n do
    let place i =
      let b = i / (2 * w)
      let left = i % (2 * w) < w
      let lo = if left then i64.min n (b * 2 * w + w) else b * 2 * w
      let hi = i64.min n (lo + w)
      let (l, _) = loop (l, h) = (lo, hi) while l < h do
        let m = (l + h) / 2
        in if (if left then !(xs[i] `leq` xs[m]) else xs[m] `leq` xs[i]) then (m + 1, h) else (l, m)
      in i + (l - lo) - (if left then 0 else w)
    in (scatter (copy xs) (map place (iota n)) xs, w * 2)).0
-- n = 2^k - 1 points: at each level sort by (segment, coordinate); the middle of a segment is the node.
def kd_build [n] (pts: [n][2]f64) : [n][2]f64 =
  let (p, _) = loop (ps, level) = (zip (replicate n 0i64) pts, 0i64) while (1 << level) <= n do
    let ax = level % 2
    let s = merge_sort (\(a, p) (b, q) -> a < b || (a == b && p[ax] <= q[ax])) ps
    -- Segments at this level have size 2^(k-level) - 1 apart from the nodes already placed; keys are node numbers in heap order.
    let starts = hist i64.min n (2 * n + 2) (map (.0) s) (iota n)
    let sizes = hist (+) 0 (2 * n + 2) (map (.0) s) (replicate n 1)
    let key i (k: i64) =
      if k < (1 << level) - 1 then k
      else let o = i - starts[k]
           let m = sizes[k] / 2
           in if o == m then k else if o < m then 2 * k + 1 else 2 * k + 2
    in (map2 (\i (k, p) -> (key i k, p)) (iota n) s, level + 1)
  in scatter (replicate n [0, 0]) (map (.0) p) (map (.1) p)
def kd_nearest [n] (t: [n][2]f64) (q: [2]f64) : f64 =
  let d2 (p: [2]f64) = (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2
  let depth i = loop (d, i) = (0i64, i) while i > 0 do (d + 1, (i - 1) / 2)
  let (best, _, _) =
    loop (best, stack, sp) = (f64.inf, replicate 64 (0i64, 0f64), 1i64) while sp > 0 do
      let (i, bound) = stack[sp - 1]
      in if i >= n || bound >= best then (best, stack, sp - 1)
         else let p = t[i]
              let ax = (depth i).0 % 2
              let diff = q[ax] - p[ax]
              let (near, far) = if diff < 0 then (2 * i + 1, 2 * i + 2) else (2 * i + 2, 2 * i + 1)
              let stack = stack with [sp - 1] = (far, diff * diff)
              let stack = stack with [sp] = (near, 0)
              in (f64.min best (d2 p), stack, sp + 1)
  in f64.sqrt best
entry kd [n][m] (pts: [n][2]f64) (qs: [m][2]f64) : [m]f64 = let t = kd_build pts in map (kd_nearest t) qs
