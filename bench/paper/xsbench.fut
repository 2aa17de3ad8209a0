-- Macroscopic cross sections of neutrons: each lookup has an energy and a material, and sums over
-- the nuclides of the material what is interpolated in their tables.
import "sample"

-- An energy and five cross sections.
type point = [6]f64

def search [u] (energies: [u]f64) (e: f64) : i64 =
  let (lo, _) =
    loop (lo, hi) = (0, u - 1)
    while hi - lo > 1 do
      let mid = lo + (hi - lo) / 2
      in if energies[mid] > e then (lo, mid) else (mid, hi)
  in lo

def lookup [n][g][u][s]
           (energies: [u]f64) (index: [u][n]i32)
           (num_nuclides: [12]i32) (nuclides: [12][s]i32) (densities: [12][s]f64)
           (grid: [n][g]point)
           (i: i64) : [5]f64 =
  let (e, m) = sample i
  let row = search energies e
  in loop sums = replicate 5 0
     for j < i64.i32 num_nuclides[m] do
       let nuclide = nuclides[m, j]
       let k = index[row, nuclide]
       let (low, high) = (grid[nuclide, k], grid[nuclide, k + 1])
       let f = (high[0] - e) / (high[0] - low[0])
       let section c = high[c + 1] - f * (high[c + 1] - low[c + 1])
       in map2 (\s c -> s + densities[m, j] * section c) sums (iota 5)

entry primal [n][g][u][s]
             (lookups: i64)
             (energies: [u]f64) (index: [u][n]i32)
             (num_nuclides: [12]i32) (nuclides: [12][s]i32) (densities: [12][s]f64)
             (grid: [n][g]point) : [lookups][5]f64 =
  tabulate lookups (lookup energies index num_nuclides nuclides densities grid)

entry gradient [n][g][u][s]
               (lookups: i64)
               (energies: [u]f64) (index: [u][n]i32)
               (num_nuclides: [12]i32) (nuclides: [12][s]i32) (densities: [12][s]f64)
               (grid: [n][g]point) (seed: [5]f64) : [n][g]point =
  vjp (primal lookups energies index num_nuclides nuclides densities) grid
      (replicate lookups seed)
