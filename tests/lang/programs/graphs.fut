-- Algorithms on graphs.
type edge = {src: i64, dst: i64, w: f32}
def edges : []edge = map
                       (\(s, d, w) -> {src = s, dst = d, w})
                       [ (0, 1, 4)
                       , (0, 2, 1)
                       , (2, 1, 2)
                       , (1, 3, 5)
                       , (2, 3, 8)
                       , (3, 4, 3)
                       ]
def bellman_ford (n: i64) (source: i64) (es: []edge) : [n]f32 =
  let dist = replicate n f32.inf with [source] = 0
  in loop dist for _i < n - 1 do
       let (is, vs) = unzip (map (\e -> (e.dst, dist[e.src] + e.w)) es)
       in reduce_by_index (copy dist) f32.min f32.inf is vs

-- ==
-- entry: bf
-- input { } output { [0f32, 3f32, 1f32, 8f32, 11f32, f32.inf] }
entry bf = bellman_ford 6 0 edges
def floyd [n] (m: *[n][n]f32) : *[n][n]f32 =
  loop m for k < n do
    tabulate_2d n n (\i j -> f32.min m[i, j] (m[i, k] + m[k, j]))

-- ==
-- entry: fw
-- input { }
-- output {
--   [[0f32, 3f32, 1f32, 8f32, 11f32], [f32.inf, 0f32, f32.inf, 5f32, 8f32], [f32.inf, 2f32, 0f32,
--   7f32, 10f32], [f32.inf, f32.inf, f32.inf, 0f32, 3f32], [f32.inf, f32.inf, f32.inf, f32.inf,
--   0f32]]
-- }
entry fw =
  let m = replicate 5 (replicate 5 f32.inf)
  let m = loop m for i < 5 do m with [i, i] = 0
  let m = loop m for e in edges do m with [e.src, e.dst] = e.w
  in floyd m
def bfs (n: i64) (source: i64) (es: []edge) : [n]i32 =
  let level = replicate n (-1) with [source] = 0
  in (loop (level, front, d) = (level, [source], 0) while length front > 0 do
        let next =
          filter (\e -> any (== e.src) front && level[e.dst] == -1) es
          |> map (.dst)
        let level = scatter level next (map (const (d + 1)) next)
        in (level, next, d + 1)).0

-- ==
-- entry: levels
-- input { } output { [0i32, 1i32, 1i32, 2i32, 3i32, -1i32] }
entry levels = bfs 6 0 edges
def pagerank [n] (links: [n][n]f64) (iters: i32) : [n]f64 =
  let out = map f64.sum links
  let step r = map
                 (\j ->
                    0.15
                    / f64.i64 n
                    + 0.85
                      * f64.sum
                          (map
                             (\i ->
                                if out[i] == 0
                                then r[i] / f64.i64 n
                                else r[i] * links[i, j] / out[i])
                             (iota n)))
                 (iota n)
  in iterate iters step (replicate n (1 / f64.i64 n))

-- ==
-- entry: pr
-- input { } output { [0.38778966918159763f64, 0.39739968842598028f64, 0.21481064239242179f64] }
entry pr = pagerank [[0, 1, 1], [1, 0, 0], [0, 1, 0]] 30
def find [n] (parent: [n]i64) (x: i64) =
  loop x while parent[x] != x do parent[x]
def components (n: i64) (es: [](i64, i64)) : [n]i64 =
  let parent =
    loop parent = iota n for (a, b) in es do
      let (ra, rb) = (find parent a, find parent b)
      in if ra == rb
         then parent
         else parent with [i64.max ra rb] = i64.min ra rb
  in map (find parent) (iota n)

-- ==
-- entry: comps
-- input { } output { [0i64, 0i64, 0i64, 0i64, 4i64, 5i64, 5i64] }
entry comps = components 7 [(0, 1), (2, 3), (1, 3), (5, 6)]
def topo [n] (adj: [n][n]bool) : [n]i64 =
  let indeg =
    map (\j -> i64.sum (map (\i -> i64.bool adj[i, j]) (iota n))) (iota n)
  let (order, _, _, _) =
    loop (order, indeg, done, k) = ( replicate n (-1)
                                   , indeg
                                   , replicate n false
                                   , 0
                                   ) while k < n do
      let (v, _) =
        loop (v, i) = (-1, 0) while v < 0 && i < n do
          (if !done[i] && indeg[i] == 0 then i else v, i + 1)
      in if v < 0 then (order, indeg, done, n)
         else ( order with [k] = v
              , map2 (\d j -> d - i64.bool adj[v, j]) indeg (iota n)
              , done with [v] = true
              , k + 1
              )
  in order

-- ==
-- entry: order
-- input { } output { [2i64, 4i64, 3i64, 1i64, 0i64] }
entry order = topo
                (tabulate_2d
                   5
                   5
                   (\i j ->
                      (i, j)
                      == (3, 1)
                      || (i, j) == (1, 0)
                      || (i, j) == (4, 3)
                      || (i == 2 && j == 0)))
