-- Rows that warps do, eight that follow on each other to each: as many rows as are left over, lengths up to that of a
-- warp (no loop) and beyond, lengths that the row says itself, checks that fail in one of the rows.  Steps of a row for
-- which lanes load together: none, some, more than there are lanes; also in the return sweep, where steps only add.
-- ==
-- entry: weighed
-- input { 5000i64 32i64 } output { true }
-- input { 4999i64 5i64 } output { true }
-- input { 40001i64 33i64 } output { true }

-- ==
-- entry: ragged
-- input { 4099i64 32i64 } output { true }
-- input { 40001i64 70i64 } output { true }

-- ==
-- entry: checked
-- input { 9000i64 33i64 8999i64 7i64 } error: Index \[7\] out of bounds for array of shape \[7\]
-- input { 9000i64 5i64 4321i64 7i64 } error: Index \[7\] out of bounds for array of shape \[7\]
-- input { 9000i64 5i64 4321i64 6i64 } output { 9000i64 }

-- ==
-- entry: stepped
-- input { 5000i64 40i64 0i64 -1i64 } output { true }
-- input { 5000i64 33i64 1i64 -1i64 } output { true }
-- input { 5000i64 64i64 33i64 -1i64 } output { true }
-- input { 5000i64 40i64 70i64 -1i64 } output { true }
-- input { 5000i64 40i64 70i64 69i64 } error: Index \[11\] out of bounds for array of shape \[11\]

-- ==
-- entry: swept
-- input { 5000i64 40i64 35i64 } output { true }
def table (n: i64) (d: i64) : [n][d]i64 = tabulate_2d n d (\i j -> (i * 5 + j * 3) % 7)

-- The sum is in shared memory when the elements that are made of it are read by other lanes.
entry weighed (m: i64) (d: i64) : bool =
  let x = table 11 d
  let a = #[opaque] (tabulate m (\i -> (i * i + 3 * i) % 11)) : [m]i64
  let weights = #[opaque] (tabulate m (\i -> i % 13)) : [m]i64
  let got =
    #[opaque]
    (map2 (\i w ->
             let s = i64.sum x[i]
             let y = map (\v -> v * w + s) x[i]
             in (s, i64.maximum y, map2 (\p q -> p - q) y x[i]))
          a
          weights)
  in and (map3 (\i w (s, top, z) ->
                  let t = loop t = 0 for j < d do t + x[i, j]
                  let h = loop h = i64.lowest for j < d do i64.max h (x[i, j] * w + t)
                  in s == t && top == h && (loop ok = true for j < d do ok && z[j] == x[i, j] * w + t - x[i, j]))
               a
               weights
               got)

-- Rows of a sparse matrix.
entry ragged (m: i64) (most: i64) : bool =
  let lengths = tabulate m (\i -> (i * 7 + i / 3) % (most + 1))
  let ends = scan (+) 0 lengths
  let starts = #[opaque] (map2 (-) ends lengths ++ [ends[m - 1]]) : []i64
  let n = ends[m - 1]
  let cols = #[opaque] (tabulate n (\k -> (k * 5) % 17)) : [n]i64
  let vals = #[opaque] (tabulate n (\k -> k % 19)) : [n]i64
  let x = tabulate 17 (\c -> c + 1)
  let row i = i64.sum (map (\k -> vals[k] * x[cols[k]]) (starts[i]..<starts[i + 1]))
  let sums = #[opaque] (tabulate m row)
  let expected =
    reduce_by_index (replicate m 0)
                    (+)
                    0
                    (flatten (tabulate_2d m most (\i k -> if k < lengths[i] then i else -1)))
                    (flatten (tabulate_2d m most (\i k ->
                                                    if k < lengths[i] then let at = starts[i] + k in vals[at] * x[cols[at]] else 0)))
  in and (map2 (==) sums expected)

entry checked (m: i64) (d: i64) (at: i64) (bad: i64) : i64 =
  let x = table 7 d
  let a = #[opaque] (tabulate m (\i -> if i == at then bad else i % 7))
  in i64.sum (map (\(s, y) -> i64.bool (s >= 0 && length y == d))
                  (#[opaque] (map (\i -> let s = i64.sum (map (\p -> p * p) x[i]) in (s, map (+ s) x[i])) a)))

-- Sums of rows that a column says; the words of a row are far from each other.
def sums [l] [m] [v] [d] (x: [v][d]i64) (words: [l][m]i64) : [m]i64 =
  tabulate m (\i ->
                let bag = loop acc = replicate d 0 for j < l do map2 (\a b -> (a + b) % 1000) acc x[words[j, i]]
                in i64.maximum bag - i64.minimum bag)

entry stepped (m: i64) (d: i64) (l: i64) (bad: i64) : bool =
  let x = table 11 d
  let words = #[opaque] (tabulate_2d l m (\j i -> if j == bad && i == m - 1 then 11 else (i * 3 + j * j) % 11))
  let got = #[opaque] (sums x words)
  let expected =
    tabulate m (\i ->
                  let at k = loop s = 0 for j < l do (s + x[words[j, i], k]) % 1000
                  let (top, low) =
                    loop (t, b) = (i64.lowest, i64.highest)
                    for k < d do
                      let v = at k in (i64.max t v, i64.min b v)
                  in top - low)
  in and (map2 (==) got expected)

def energy [l] [m] [v] [d] (words: [l][m]i64) (x: [v][d]f64) (w: [d]f64) : f64 =
  let bag i =
    let bag = loop acc = replicate d 0 for j < l do map2 (+) acc x[words[j, i]]
    in loop s = 0 for k < d do s + w[k] * bag[k]
  in f64.sum (tabulate m (\i -> let b = bag i in b * b))

entry swept (m: i64) (d: i64) (l: i64) : bool =
  let x = map (map f64.i64) (table 11 d)
  let w = tabulate d (\k -> f64.i64 (k % 3))
  let words = #[opaque] (tabulate_2d l m (\j i -> (i * 3 + j * j) % 11))
  let got = #[opaque] (vjp (\x -> energy words x w) x 1)
  let bags = tabulate m (\i -> loop s = 0 for j < l do s + (loop t = 0 for k < d do t + w[k] * x[words[j, i], k]))
  let counts = reduce_by_index (replicate 11 0) (+) 0 (flatten words) (flatten (replicate l bags))
  in and (map2 (\row c -> and (map2 (\v u -> v == 2 * c * u) row w)) got counts)
