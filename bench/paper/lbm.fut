-- Flow through a box by the lattice-Boltzmann method: each cell has the densities of particles that
-- stand still or move to one of 18 neighbours.  In a step they move, and mix or bounce off walls.
def velocities : [19][3]i64 =
  [ [0, 0, 0]
  , [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]
  , [1, 1, 0], [-1, -1, 0], [1, -1, 0], [-1, 1, 0]
  , [1, 0, 1], [-1, 0, -1], [1, 0, -1], [-1, 0, 1]
  , [0, 1, 1], [0, -1, -1], [0, 1, -1], [0, -1, 1]
  ]

def weight (q: i64) : f64 = if q == 0 then 1 / 3 else if q < 7 then 1 / 18 else 1 / 36

-- Velocities come in pairs.
def opposite (q: i64) : i64 = if q == 0 then 0 else if q % 2 == 1 then q + 1 else q - 1

def component (k: i64) (q: i64) : f64 = f64.i64 velocities[q, k]

-- Towards what the densities would be in rest, seen from where the fluid as a whole moves.
def mix (omega: f64) (f: [19]f64) : [19]f64 =
  let density = f64.sum f
  let along k = f64.sum (map2 (\a q -> a * component k q) f (iota 19)) / density
  let (x, y, z) = (along 0, along 1, along 2)
  let square = 1.5 * (x * x + y * y + z * z)
  let rest q =
    let v = x * component 0 q + y * component 1 q + z * component 2 q
    in weight q * density * (1 + 3 * v + 4.5 * v * v - square)
  in map2 (\a q -> a + omega * (rest q - a)) f (iota 19)

def step [n][m][l] (omega: f64) (walls: [n][m][l]bool) (f: [n][m][l][19]f64) : [n][m][l][19]f64 =
  let cell i j k =
    let from q =
      let v = velocities[q]
      in f[(i - v[0]) % n, (j - v[1]) % m, (k - v[2]) % l, q]
    in if walls[i, j, k] then tabulate 19 (from <-< opposite) else mix omega (tabulate 19 from)
  in tabulate_3d n m l cell

entry primal [n][m][l]
             (omega: f64) (steps: i64) (walls: [n][m][l]bool) (f: [n][m][l][19]f64)
          : [n][m][l][19]f64 =
  loop f for _t < steps do step omega walls f

entry gradient [n][m][l]
               (omega: f64) (steps: i64) (walls: [n][m][l]bool) (f: [n][m][l][19]f64)
               (seed: [n][m][l][19]f64) : [n][m][l][19]f64 =
  vjp (primal omega steps walls) f seed
