-- Classification of bags of words, which are the columns of a matrix: a loop adds up the rows of a
-- table in a vector.
def logistic (x: f64) : f64 = if x > 0 then f64.log1p (f64.exp (-x)) else f64.log1p (f64.exp x) - x

entry primal [v][d][b][l]
             (table: [v][d]f64) (w: [d]f64) (words: [l][b]i64) (label: [b]f64) : f64 =
  let bag i =
    let sums = loop acc = replicate d 0 for j < l do map2 (+) acc table[words[j, i]]
    in loop s = 0 for k < d do s + w[k] * sums[k] / f64.i64 l
  in f64.sum (tabulate b (\i -> logistic (label[i] * bag i))) / f64.i64 b

entry gradient [v][d][b][l]
               (table: [v][d]f64) (w: [d]f64) (words: [l][b]i64) (label: [b]f64) : ([v][d]f64, [d]f64) =
  vjp (\p -> primal p.0 p.1 words label) (table, w) 1
