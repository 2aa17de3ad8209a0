-- A record of two arrays whose sizes only the program knows.
-- ==
-- input { [3i64,1i64,2i64] } output { [0i64,3i64,4i64] 6i64 [3i64,0i64,1i64] }
type~ ragged = ?[n][m].{off: [n]i64, dat: [m]i64}
def mk (ns: []i64) : ragged =
  let off = map2 (-) (scan (+) 0 ns) ns
  let tot = i64.sum ns
  in {off, dat = iota tot}
def seg [n][m] (r: {off: [n]i64, dat: [m]i64}) : [n]i64 =
  map
    (\i ->
       let a = r.off[i]
       let b = if i == n - 1 then m else r.off[i + 1]
       in if b - a == 3 then i64.sum r.dat[a:b] else i - 1)
    (iota n)
entry main ns = let r = mk ns in (r.off, length r.dat, seg r)
