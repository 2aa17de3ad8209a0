-- Charges of particles in cells, shared between two neighbours, and the energy of the field; a few pushes.
def deposit [n] (g: i64) (x: [n]f64) (q: [n]f64) : [g]f64 =
  let cell v = i64.f64 (f64.floor v)
  let part v = v - f64.floor v
  let left = map (\v -> cell v % g) x
  let right = map (\v -> (cell v + 1) % g) x
  let a = reduce_by_index (replicate g 0) (+) 0 left (map2 (\v w -> w * (1 - part v)) x q)
  in reduce_by_index a (+) 0 right (map2 (\v w -> w * part v) x q)

def field [g] (rho: [g]f64) : [g]f64 =
  let mean = f64.sum rho / f64.i64 g
  let phi = scan (+) 0 (map (\r -> r - mean) rho)
  let shift = f64.sum phi / f64.i64 g
  in map (\p -> p - shift) phi

entry primal [n] (x0: [n]f64) (v0: [n]f64) (q: [n]f64) (g: i64) (steps: i64) : f64 =
  let size = f64.i64 g
  let (x, v) =
    loop (x, v) = (x0, v0)
    for _i < steps do
      let e = field (deposit g x q)
      let pull p =
        let c = f64.floor p
        let w = p - c
        let i = i64.f64 c % g
        in (1 - w) * e[i] + w * e[(i + 1) % g]
      let v = map2 (\p u -> u + 0.01 * pull p) x v
      in (map2 (\p u -> let y = p + 0.1 * u in y - size * f64.floor (y / size)) x v, v)
  in f64.sum (map (\u -> u * u) v) / f64.i64 n + f64.sum (map (\e -> e * e) (field (deposit g x q)))

entry gradient [n] (x0: [n]f64) (v0: [n]f64) (q: [n]f64) (g: i64) (steps: i64) : ([n]f64, [n]f64, [n]f64) =
  vjp (\(x, v, q) -> primal x v q g steps) (x0, v0, q) 1
