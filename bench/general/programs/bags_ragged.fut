-- Bags of words of different sizes in one flat list with the number of the bag of each word: rows of a
-- table are added up by bag.
entry primal [v][d][z][b]
             (table: [v][d]f32) (w: [d]f32) (words: [z]i64) (bag: [z]i64) (label: [b]f32) : f32 =
  let rows = map (\i -> table[i]) words
  let sums = reduce_by_index (replicate b (replicate d 0)) (map2 (+)) (replicate d 0) bag rows
  let counts = hist (+) 0 b bag (replicate z 1f32)
  let score s n = f32.sum (map2 (*) w s) / f32.max 1 n
  in f32.sum (map3 (\s n y -> f32.log1p (f32.exp (-y * score s n))) sums counts label) / f32.i64 b

entry gradient [v][d][z][b]
               (table: [v][d]f32) (w: [d]f32) (words: [z]i64) (bag: [z]i64) (label: [b]f32)
             : ([v][d]f32, [d]f32) =
  vjp (\(t, w) -> primal t w words bag label) (table, w) 1
