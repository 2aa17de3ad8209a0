-- The loss of a linear chain: the score of a path against the logarithm of the sum over all paths,
-- with both in one loop.
type state [k] = {alpha: [k]f64, score: f64, at: i64}

def logsumexp [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

def chain [t][k] (trans: [k][k]f64) (scores: [t][k]f64) (tags: [t]i64) : f64 =
  let init: state [k] = {alpha = scores[0], score = scores[0, tags[0]], at = tags[0]}
  let end =
    loop s = init for (now, tag) in zip scores[1:] tags[1:] do
      { alpha = map2 (\j v -> v + logsumexp (map2 (+) s.alpha trans[:, j])) (iota k) now
      , score = s.score + trans[s.at, tag] + now[tag]
      , at = tag }
  in logsumexp end.alpha - end.score

entry primal [n][t][k] (scores: [n][t][k]f64) (trans: [k][k]f64) (tags: [n][t]i64) : f64 =
  f64.sum (map2 (chain trans) scores tags) / f64.i64 n

entry gradient [n][t][k]
               (scores: [n][t][k]f64) (trans: [k][k]f64) (tags: [n][t]i64)
             : ([n][t][k]f64, [k][k]f64) =
  vjp (\(scores, trans) -> primal scores trans tags) (scores, trans) 1
