-- The game of life on a torus.
-- ==
-- input { 0i32 [[false, false, false, false, false, false], [false, false, true, false, false, false], [false, false, false, true, false, false], [false, true, true, true, false, false], [false, false, false, false, false, false], [false, false, false, false, false, false]] }
-- output { [[false, false, false, false, false, false], [false, false, true, false, false, false], [false, false, false, true, false, false], [false, true, true, true, false, false], [false, false, false, false, false, false], [false, false, false, false, false, false]] }
-- input { 1i32 [[false, false, false, false, false, false], [false, false, true, false, false, false], [false, false, false, true, false, false], [false, true, true, true, false, false], [false, false, false, false, false, false], [false, false, false, false, false, false]] }
-- output { [[false, false, false, false, false, false], [false, false, false, false, false, false], [false, true, false, true, false, false], [false, false, true, true, false, false], [false, false, true, false, false, false], [false, false, false, false, false, false]] }
-- input { 7i32 [[false, false, false, false, false, false], [false, false, true, false, false, false], [false, false, false, true, false, false], [false, true, true, true, false, false], [false, false, false, false, false, false], [false, false, false, false, false, false]] }
-- output { [[false, false, false, false, false, false], [false, false, false, false, false, false], [false, false, false, false, false, false], [false, false, false, true, false, false], [false, false, false, false, true, true], [false, false, false, true, true, false]] }

type cell = #dead | #alive
def of_bool (b: bool) : cell = if b then #alive else #dead
def is_alive (c: cell) = c == #alive

def neighbours [n][m] (g: [n][m]cell) : [n][m]i32 =
  let b = map (map (\c -> match c case #alive -> 1i32 case #dead -> 0)) g
  let shift (dx, dy) = map (rotate dy) (rotate dx b)
  let all = map shift [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
  in reduce (map2 (map2 (+))) (replicate n (replicate m 0)) all

def step [n][m] (g: [n][m]cell) : [n][m]cell =
  let rule c k : cell =
    match (c, k)
    case (#alive, 2) -> #alive
    case (_, 3) -> #alive
    case _ -> #dead
  in map2 (map2 rule) g (neighbours g)

entry main [n][m] (gens: i32) (g: [n][m]bool) : [n][m]bool =
  map (map is_alive) (iterate gens step (map (map of_bool) g))
