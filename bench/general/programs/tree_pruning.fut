-- The likelihood of sequences at the leaves of a balanced tree (Felsenstein's pruning): sites in a
-- map, levels in a loop; each branch has a matrix of changes made from its length.
def change (t: f64) : [4][4]f64 =
  let e = f64.exp (-4 * t / 3)
  in tabulate_2d 4 4 (\i j -> if i == j then 0.25 + 0.75 * e else 0.25 - 0.25 * e)

def apply (m: [4][4]f64) (p: [4]f64) : [4]f64 = map (\row -> f64.sum (map2 (*) row p)) m

-- Node k > 0 hangs below node (k - 1) / 2; the last `leaves` nodes are the leaves.
entry primal [s][l][n] (bases: [s][l]i64) (branch: [n]f64) (levels: i64) : f64 =
  let changes = map (\b -> change (f64.exp b)) branch
  let site (seen: [l]i64) =
    let leaves = map (\b -> map (\i -> f64.bool (i == b)) (iota 4)) seen
    let (top, _, scale) =
      loop (below, first, scale) = (leaves, n - l, 0) for _d < levels do
        let m = length below / 2
        let raised =
          tabulate m (\k ->
                        let (u, v) = (2 * k, 2 * k + 1)
                        in map2 (*) (apply changes[first + u] below[u]) (apply changes[first + v] below[v]))
        let tops = map f64.maximum raised
        in (map2 (\p t -> map (/ t) p) raised tops, first - m, scale + f64.sum (map f64.log tops))
    in scale + f64.log (0.25 * f64.sum top[0])
  in f64.sum (map site bases) / f64.i64 s

entry gradient [s][l][n] (bases: [s][l]i64) (branch: [n]f64) (levels: i64) : [n]f64 =
  vjp (\b -> primal bases b levels) branch 1
