-- The likelihood of sequences under a hidden Markov model: one loop over time for all sequences, which
-- come with time first; emissions by symbol.
def lse [n] (xs: [n]f32) : f32 =
  let m = reduce f32.max f32.lowest xs
  in m + f32.log (reduce (+) 0 (map (\x -> f32.exp (x - m)) xs))

def normalise [n] (xs: [n]f32) : [n]f32 = let z = lse xs in map (\x -> x - z) xs

entry primal [k][m][s][t]
             (start: [k]f32) (trans: [k][k]f32) (emit: [m][k]f32) (seqs: [t][s]i64) : f32 =
  let start = normalise start
  let into = transpose (map normalise trans)
  let emit = transpose (map normalise (transpose emit))
  let begin = map (\o -> map2 (+) start emit[o]) seqs[0]
  let end =
    loop alphas = begin for now in seqs[1:] do
      map2 (\alpha o -> map2 (\ts e -> lse (map2 (+) ts alpha) + e) into emit[o]) alphas now
  in f32.sum (map lse end)

entry gradient [k][m][s][t]
               (start: [k]f32) (trans: [k][k]f32) (emit: [m][k]f32) (seqs: [t][s]i64)
             : ([k]f32, [k][k]f32, [m][k]f32) =
  vjp (\(a, b, c) -> primal a b c seqs) (start, trans, emit) 1
