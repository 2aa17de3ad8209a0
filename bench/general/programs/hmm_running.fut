-- The likelihood of sequences under a hidden Markov model with loops throughout: a logsumexp keeps a
-- maximum and a sum as it goes, states are written in place.
type running = {top: f32, sum: f32}

def empty : running = {top = -f32.inf, sum = 0}

def add (r: running) (x: f32) : running =
  if x <= r.top
  then r with sum = r.sum + f32.exp (x - r.top)
  else {top = x, sum = r.sum * f32.exp (r.top - x) + 1}

def value (r: running) : f32 = r.top + f32.log r.sum

def logsumexp [n] (f: i64 -> f32) (_: [n]()) : f32 = value (loop r = empty for i < n do add r (f i))

entry primal [k][m][s][t]
             (start: [k]f32) (trans: [k][k]f32) (emit: [k][m]f32) (seqs: [s][t]i64) : f32 =
  let states = replicate k ()
  let symbols = replicate m ()
  let z0 = logsumexp (\i -> start[i]) states
  let zt = map (\i -> logsumexp (\j -> trans[i, j]) states) (iota k)
  let ze = map (\i -> logsumexp (\j -> emit[i, j]) symbols) (iota k)
  let one (seq: [t]i64) =
    let first = map (\i -> start[i] - z0 + emit[i, seq[0]] - ze[i]) (iota k)
    let last =
      loop alpha = first for u in 1..<t do
        loop next = replicate k 0 for j < k do
          next with [j] = logsumexp (\i -> alpha[i] + trans[i, j] - zt[i]) states
                          + emit[j, seq[u]] - ze[j]
    in logsumexp (\i -> last[i]) states
  in f32.sum (map one seqs)

entry gradient [k][m][s][t]
               (start: [k]f32) (trans: [k][k]f32) (emit: [k][m]f32) (seqs: [s][t]i64)
             : ([k]f32, [k][k]f32, [k][m]f32) =
  vjp (\(a, b, c) -> primal a b c seqs) (start, trans, emit) 1
