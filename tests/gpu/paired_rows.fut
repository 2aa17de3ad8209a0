-- Rows whose numbers differ in one digit, done by one thread: numbers of rows that are multiples of a pair of blocks, that
-- are not, and digits that no row has.  The digit is a bit, or one of another base; results are stored, or added.
-- ==
-- entry: walsh
-- input { [1i64, -5i64, 3i64, -8i64, -7i64, 8i64, -6i64, 2i64] 3i64 } output { [-12i64, -6i64, 6i64, -12i64, -6i64, 40i64, -4i64, 2i64] }
-- input { [9i64, -8i64, 7i64, -3i64, -8i64, -7i64, 4i64, 4i64, -7i64, -2i64, -7i64, 8i64, 4i64, -8i64, 9i64, -6i64] 4i64 } output { [-11i64, 33i64, -43i64, 13i64, 5i64, -19i64, 17i64, 21i64, 7i64, 19i64, -9i64, -1i64, 19i64, 75i64, 23i64, -5i64] }
-- input { [-2i64, 9i64, -8i64, 9i64, 9i64, 3i64, -8i64, -2i64, -8i64, 8i64, -5i64, 0i64, 4i64] 4i64 } output { [9i64, -49i64, 33i64, 7i64, -3i64, -28i64, -16i64, -6i64, 11i64, -7i64, 23i64, 29i64, 15i64] }
-- input { [-5i64] 2i64 } output { [-5i64] }
-- input { [8i64, -6i64, 9i64, 0i64, 8i64, -4i64, -6i64] 1i64 } output { [2i64, 14i64, 9i64, 9i64, 4i64, 12i64, -6i64] }
-- input { [9i64, 9i64, -3i64, 2i64, -6i64, 8i64, -7i64, 9i64, -8i64, -3i64, 6i64, 8i64, 4i64, 1i64, 5i64, 9i64, 5i64, 2i64, 0i64, -2i64, -4i64, -2i64, -7i64, 9i64, 0i64, 7i64, 6i64, 1i64, 5i64, 0i64, -7i64, -6i64] 7i64 } output { [50i64, -54i64, 4i64, 20i64, 28i64, 36i64, 2i64, -38i64, -6i64, -42i64, 36i64, 24i64, 16i64, 60i64, 70i64, 18i64, 36i64, -32i64, -34i64, 2i64, -34i64, 2i64, 4i64, 24i64, 4i64, -12i64, 70i64, -18i64, 42i64, 2i64, 0i64, 8i64] }
-- input { empty([0]i64) 2i64 } output { empty([0]i64) }

-- ==
-- entry: stages
-- input { [7i64, 4i64, -4i64, 1i64, -5i64, 6i64, 4i64, -8i64] 1i64 3i64 2i64 } output { [7i64, 8i64, 23i64, 17i64, 7i64, -2i64, -9i64, 5i64] }
-- input { [-7i64, 8i64, 9i64, 1i64, 1i64, 2i64, 6i64, 9i64, 5i64, -7i64, -7i64, -1i64, 6i64, -7i64, -8i64, 0i64] 1i64 4i64 2i64 } output { [-7i64, 29i64, 77i64, -22i64, 9i64, -21i64, -39i64, -14i64, -7i64, -11i64, -19i64, 18i64, -23i64, -21i64, -47i64, -14i64] }
-- input { [9i64, 5i64, 0i64, 3i64, 2i64, -9i64, 5i64, 2i64, -4i64, -6i64, 6i64, -8i64] 3i64 2i64 2i64 } output { [9i64, 15i64, -180i64, 15i64, -5i64, 108i64, 9i64, -1i64, 148i64, 3i64, 11i64, -76i64] }
-- input { [-3i64, 0i64, -5i64, -2i64, 3i64, 3i64, 6i64, -7i64, -4i64, 5i64, 3i64, 8i64, -1i64, -5i64, 4i64, 8i64, -1i64, 4i64] 1i64 3i64 3i64 } output { [-3i64, -11i64, 104i64, -7i64, -18i64, -64i64, -2i64, 1i64, -14i64, -3i64, 11i64, -80i64, 1i64, 6i64, 40i64, 2i64, 1i64, -52i64] }
-- input { [2i64, 3i64, -2i64, -5i64, -7i64, -4i64, -5i64, -2i64, -2i64, -9i64, 6i64, 9i64, -4i64] 2i64 3i64 2i64 } output { [2i64, 0i64, -34i64, -39i64, -42i64, 29i64, 28i64, -5i64, 2i64, 10i64, -18i64, 69i64, 46i64] }
-- input { [-1i64, 0i64, -9i64, -5i64, 4i64] 7i64 1i64 2i64 } output { [-1i64, -5i64, 7i64, -7i64, 4i64] }
-- input { [8i64] 1i64 1i64 1i64 } output { [8i64] }
-- input { [2i64, 9i64, 1i64, -5i64, 7i64, -8i64, 5i64, 8i64, 3i64, 3i64, 3i64, 3i64, -6i64, 6i64, 3i64, -8i64, -3i64, -7i64, -3i64, 5i64, -4i64, -6i64, 1i64, -8i64] -3i64 1i64 2i64 } output { [2i64, -15i64, -2i64, -5i64, 33i64, 4i64, -5i64, 19i64, -1i64, 5i64, -5i64, -15i64, 5i64, -12i64, 7i64, 3i64, 28i64, -1i64, 3i64, -1i64, 11i64, -6i64, 7i64, -5i64] }

-- ==
-- entry: exchange
-- input { [-6i64, -9i64, 9i64, -5i64, 8i64, -6i64, 2i64, -9i64, -7i64, -3i64, 3i64, -5i64, -1i64, 2i64, 2i64, 6i64] 0i64 0i64 } output { [-9i64, -6i64, 9i64, -5i64, -6i64, 8i64, 2i64, -9i64, -7i64, -3i64, 3i64, -5i64, -1i64, 2i64, 6i64, 2i64] }
-- input { [-6i64, -6i64, 6i64, 5i64, 6i64, 6i64, 0i64, -7i64, -5i64, -6i64, 1i64, -1i64, 6i64, -4i64, 7i64, -9i64] 1i64 1i64 } output { [-6i64, -6i64, 6i64, 5i64, 0i64, -7i64, 6i64, 6i64, 1i64, -1i64, -5i64, -6i64, 7i64, -4i64, 6i64, -9i64] }
-- input { [-3i64, 7i64, 2i64, -5i64, 8i64, -9i64, 7i64, 0i64, -7i64, -1i64, 7i64, 2i64, -4i64, 2i64, -2i64, 8i64] 3i64 0i64 } output { [-7i64, -1i64, 2i64, -5i64, -4i64, -9i64, -2i64, 0i64, -3i64, 7i64, 7i64, 2i64, 8i64, 2i64, 7i64, 8i64] }
-- input { [8i64, 7i64, 1i64, -2i64, -3i64, -2i64, 3i64, -2i64, -3i64, 7i64, 6i64] 1i64 0i64 } output { [1i64, -2i64, 8i64, 7i64, 3i64, -2i64, -3i64, -2i64, -3i64, 7i64, 6i64] }
-- input { [2i64, -9i64, -9i64, -1i64, 6i64, -1i64, -3i64, 2i64, 5i64] 3i64 2i64 } output { [2i64, -9i64, -9i64, -1i64, 6i64, -1i64, -3i64, 2i64, 5i64] }
-- input { [2i64, 2i64, -7i64, -2i64] 5i64 0i64 } output { [2i64, 2i64, -7i64, -2i64] }

-- ==
-- entry: walsh_diff
-- input { [-6f64, -2f64, 6f64, -3f64, 1f64, -3f64, 6f64, -9f64] 3i64 [6f64, 2f64, -7f64, -6f64, 3f64, -3f64, 6f64, -4f64] } output { [-3f64, 19f64, 19f64, 1f64, -7f64, -13f64, 23f64, 9f64] }
-- input { [4f64, 1f64, -7f64, 3f64, 5f64, 3f64, -7f64, -4f64, -4f64, -5f64, -9f64, -5f64, 9f64] 4i64 [5f64, -5f64, 6f64, 2f64, -5f64, 8f64, 8f64, -5f64, -9f64, -9f64, -6f64, 7f64, -5f64] } output { [-8f64, -4f64, -32f64, -12f64, -10f64, 6f64, -22f64, 50f64, 25f64, 27f64, 11f64, -7f64, 14f64] }
-- input { [4f64, -3f64, -3f64, -9f64, -1f64, -3f64, 0f64, 7f64, -2f64, 9f64, 1f64, -1f64, 8f64, 4f64, -5f64, -8f64] 5i64 [2f64, 5f64, 9f64, 7f64, 4f64, 7f64, -5f64, 8f64, -5f64, 7f64, 7f64, -9f64, 5f64, -4f64, -9f64, -5f64] } output { [24f64, -8f64, 18f64, -10f64, 22f64, 14f64, -28f64, -56f64, 50f64, -26f64, -20f64, 20f64, -4f64, 16f64, -6f64, 26f64] }

-- ==
-- entry: stages_diff
-- input { [-4f64, -5f64, 6f64, -6f64, 8f64, -8f64, 1f64, 7f64] 1i64 3i64 2i64 [7f64, 8f64, 6f64, -6f64, 8f64, -8f64, -2f64, -3f64] } output { [10f64, 42f64, 9f64, 22f64, 0f64, 0f64, 0f64, 0f64] }
-- input { [-1f64, -8f64, -6f64, 7f64, 5f64, 8f64, -9f64, -7f64, 5f64, 1f64, 7f64, 7f64, -3f64, -1f64, 5f64, 7f64] 1i64 4i64 2i64 [8f64, 6f64, 7f64, -2f64, 7f64, -1f64, 8f64, -3f64, 5f64, -5f64, 4f64, -6f64, 3f64, 5f64, 1f64, -7f64] } output { [30f64, 22f64, 9f64, 71f64, 23f64, -21f64, -7f64, 19f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64] }
-- input { [-2f64, 4f64, -7f64, -3f64, 0f64, -6f64, -5f64, 2f64, -5f64, -1f64, -5f64, 5f64, -2f64, -6f64, 3f64, 6f64, -4f64, -2f64] 1i64 3i64 3i64 [-4f64, 4f64, 7f64, 3f64, 1f64, 4f64, -3f64, 2f64, 1f64, -7f64, 2f64, -9f64, 1f64, 8f64, 5f64, 5f64, -9f64, 3f64] } output { [8f64, 9f64, 63f64, -18f64, -6f64, -47f64, -9f64, -240f64, -22f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64] }
-- input { [1f64, 7f64, 0f64, 7f64, -7f64, -6f64, -2f64, -6f64, -7f64, -1f64, -1f64, -8f64, -4f64] 2i64 3i64 2i64 [-1f64, -5f64, 4f64, -1f64, 3f64, -5f64, 8f64, 7f64, 9f64, 6f64, 1f64, -7f64, -1f64] } output { [-17f64, -16f64, 28f64, -2f64, -12f64, 4f64, 32f64, 8f64, 0f64, 26f64, 0f64, -20f64, 0f64] }
-- input { [-8f64, -4f64, 4f64, -7f64, -1f64, -9f64, -7f64, -1f64, -7f64, -2f64, -7f64, -1f64] 3i64 2i64 2i64 [-6f64, 5f64, -9f64, 1f64, 8f64, 4f64, -1f64, -5f64, -8f64, 7f64, -2f64, -6f64] } output { [1f64, 6f64, -19f64, -12f64, 30f64, 36f64, 0f64, -6f64, -60f64, 0f64, -10f64, -176f64] }

-- ==
-- entry: rows_diff
-- input { [[-4f64, -1f64, -8f64, -4f64, -3f64, 0f64, 0f64, 7f64, -3f64, 0f64, 5f64, 7f64, -4f64, -1f64, 2f64, -9f64], [-1f64, -8f64, -9f64, -9f64, 7f64, 8f64, -3f64, 7f64, 6f64, -2f64, 5f64, -6f64, 4f64, 6f64, 8f64, 3f64], [7f64, 0f64, -3f64, -2f64, 1f64, -3f64, -5f64, 3f64, 2f64, -8f64, -5f64, -9f64, -7f64, -1f64, 4f64, -4f64]] 4i64 [-8f64, -7f64, 3f64, 7f64, 0f64, -2f64, 0f64, -8f64, 5f64, -4f64, -4f64, -1f64, 5f64, -9f64, -1f64, 2f64] } output { [[-22f64, 60f64, 24f64, 109f64, -22f64, 9f64, -24f64, -63f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64], [-22f64, 60f64, 24f64, 109f64, -22f64, 9f64, -24f64, -63f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64], [-22f64, 60f64, 24f64, 109f64, -22f64, 9f64, -24f64, -63f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64]] }
-- input { [[1f64, 8f64, 1f64, -2f64, -8f64, 0f64, -3f64, 2f64, -4f64, -9f64, 1f64], [3f64, -7f64, 6f64, -1f64, 7f64, -3f64, -2f64, 7f64, -9f64, -7f64, -1f64], [-7f64, -5f64, 3f64, 9f64, -8f64, 3f64, -9f64, 0f64, 0f64, -2f64, -7f64]] 3i64 [9f64, 7f64, -5f64, 3f64, 1f64, 6f64, -5f64, 0f64, -5f64, -8f64, 7f64] } output { [[44f64, -5f64, -2f64, 10f64, -8f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64], [44f64, -5f64, -2f64, 10f64, -8f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64], [44f64, -5f64, -2f64, 10f64, -8f64, 0f64, 0f64, 0f64, 0f64, 0f64, 0f64]] }

-- ==
-- entry: halves_diff
-- input { [1f64, 2f64, 3f64, 4f64] 2i64 [1f64, -1f64, 2f64, 0.5f64] } output { [2.5f64, -2f64, 1.75f64, 0.5f64] }
-- input { [1f64, 1f64, 1f64, 1f64, 1f64, 1f64, 1f64, 1f64, 1f64, 1f64, 1f64, 1f64, 1f64, 1f64, 1f64, 1f64] 4i64 [-1f64, 4f64, -2f64, 1f64, 3f64, -3f64, -4f64, 3f64, 0f64, 4f64, -1f64, -1f64, 3f64, 4f64, 4f64, 3f64] } output { [17f64, -47f64, -13f64, 68.5f64, 7f64, -10.5f64, 19.5f64, -7f64, -6.5f64, -6.5f64, -1.5f64, 5.25f64, 0.5f64, 19.75f64, -9.25f64, -16.5f64] }
def walsh_of [n] 't (plus: t -> t -> t) (minus: t -> t -> t) (zero: t) (xs: [n]t) (k: i64) : [n]t =
  loop xs for s < k do
    let d = 1 << s
    in tabulate n (\i ->
                     let j = i ^ d
                     let other = if 0 <= j && j < n then xs[j] else zero
                     in if i & d == 0 then plus xs[i] other else minus other xs[i])

def stages_of [n] 't (plus: t -> t -> t) (minus: t -> t -> t) (times: t -> i64 -> t) (xs: [n]t) (d: i64) (k: i64) (f: i64) : [n]t =
  (loop (xs, d) = (xs, d) for _s < k do
     (tabulate n (\i ->
                    let (r, b) = (i % d, i / (2 * d))
                    let j = r + b * d
                    let (a, c) = (xs[j % n], times xs[(j + n / 2) % n] ((r * r) % 7))
                    in if (i / d) % 2 == 0 then plus a c else minus a c), d * f)).0

entry walsh (xs: []i64) (k: i64) = walsh_of (+) (-) 0 xs k
entry stages (xs: []i64) (d: i64) (k: i64) (f: i64) = stages_of (+) (-) (*) xs d k f

entry exchange [n] (xs: [n]i64) (e: i64) (k: i64) : [n]i64 =
  let d = 1 << e
  let k = i64.max 0 k
  in tabulate n (\i ->
                   let j = i ^ d
                   let other = if j < n && 0 <= j then xs[j] else 100
                   let up = (i >> (e + 1 + k)) & 1 == 0
                   in if up == (i & d == 0) then i64.min xs[i] other else i64.max xs[i] other)

entry walsh_diff [n] (xs: [n]f64) (k: i64) (ws: [n]f64) : [n]f64 = vjp (\x -> walsh_of (+) (-) 0 x k) xs ws

entry stages_diff [n] (xs: [n]f64) (d: i64) (k: i64) (f: i64) (ws: [n]f64) : [n]f64 =
  vjp (\x -> stages_of (+) (-) (\x y -> x * f64.i64 y) x d k f) xs ws

entry rows_diff [m] [n] (xss: [m][n]f64) (k: i64) (ws: [n]f64) : [m][n]f64 =
  let transform (x: [n]f64) : [n]f64 =
    loop x for s < k do
      let d = 1 << s
      in tabulate n (\i ->
                       let (r, b) = (i % d, i / (2 * d))
                       let j = r + b * d
                       let (a, c) = (x[j % n], x[(j + n / 2) % n] * f64.i64 ((r * r) % 7))
                       in if (i / d) % 2 == 0 then a + c else a - c)
  in vjp (map transform) xss (replicate m ws)

-- Updates at q and q + n/2 for pair q.
entry halves_diff [n] (xs: [n]f64) (k: i64) (ws: [n]f64) : [n]f64 =
  let stages (x: [n]f64) : [n]f64 =
    loop x for s < k do
      let d = 1 << s
      in tabulate n (\i ->
                       let j = i % d + (i / (2 * d)) * d
                       let (a, b) = (x[j], f64.i64 (1 + i % d) * 0.5 * x[j + n / 2])
                       in if (i / d) % 2 == 0 then a + b else a - b)
  in vjp stages xs ws
