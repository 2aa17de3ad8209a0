-- The likelihood of sequences under a hidden Markov model, in the log domain: for each sequence a
-- loop over time with a logsumexp for every state.
def logsumexp [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

def forward [k][m][t] (start: [k]f64) (trans: [k][k]f64) (emit: [k][m]f64) (seq: [t]i64) : f64 =
  let first = map2 (\s e -> s + e[seq[0]]) start emit
  let last =
    loop alpha = first for i in 1..<t do
      map2 (\column e -> logsumexp (map2 (+) alpha column) + e[seq[i]]) (transpose trans) emit
  in logsumexp last

def normal_rows [n][k] (x: [n][k]f64) : [n][k]f64 =
  map (\row -> let z = logsumexp row in map (\v -> v - z) row) x

entry primal [k][m][s][t]
             (start: [k]f64) (trans: [k][k]f64) (emit: [k][m]f64) (seqs: [s][t]i64) : f64 =
  let z = logsumexp start
  let start = map (\v -> v - z) start
  let trans = normal_rows trans
  let emit = normal_rows emit
  in f64.sum (map (forward start trans emit) seqs)

entry gradient [k][m][s][t]
               (start: [k]f64) (trans: [k][k]f64) (emit: [k][m]f64) (seqs: [s][t]i64)
             : ([k]f64, [k][k]f64, [k][m]f64) =
  vjp (\(a, b, c) -> primal a b c seqs) (start, trans, emit) 1
