-- # A hidden Markov model
--
-- A die is sometimes fair and sometimes loaded, and nobody says when it is exchanged. The forward algorithm gives the
-- likelihood of the numbers thrown, in logarithms. Its gradient answers the question that needs an algorithm of its own in
-- textbooks: the derivative by the log-probability of a throw in a state is the probability that it was thrown in that state.
-- ==
-- entry: main
-- input { 300i64 } output { 0.8633333 }

import "lib/random"

def logsumexp [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

-- emissions[t][s]: the log-probability of what was seen at time t in state s.

def loglikelihood [n] [s] (transition: [s][s]f64) (emissions: [n][s]f64) : f64 =
  let step alpha e = map2 (\to x -> x + logsumexp (map2 (+) alpha to)) (transpose transition) e
  in logsumexp (loop alpha = copy emissions[0] for t in 1..<n do step alpha emissions[t])

-- Fair: all six alike. Loaded: six in half of all throws. The die is kept with a probability of 95 %.

def transition : [2][2]f64 = map (map f64.log) [[0.95, 0.05], [0.05, 0.95]]

def emission (number: i64) : [2]f64 =
  map f64.log [1 / 6, if number == 5 then 0.5 else 0.1]

def throws (n: i64) : ([n]bool, [n]i64) =
  let (_, loaded) =
    loop (now, all) = (false, replicate n false)
    for t < n do
      let next = if uniform 1 t < 0.05 then !now else now
      in (next, all with [t] = next)
  let throw l t = if l && uniform 2 t < 0.4 then 5 else i64.f64 (6 * uniform 3 t)
  in (loaded, map2 throw loaded (iota n))

def posterior (n: i64) : [n]f64 =
  let (_, seen) = throws n
  let by_time = vjp (loglikelihood transition) (map emission seen) 1
  in map (\p -> p[1]) by_time

-- How often the more probable state is the right one:

entry main (n: i64) : f64 =
  let (loaded, _) = throws n
  in f64.sum (map2 (\p l -> f64.bool ((p > 0.5) == l)) (posterior n) loaded) / f64.i64 n

-- > main 300i64

def shown (n: i64) : ([n]f64, [n]f64) = (map f64.i64 (iota n), posterior n)
def truth (n: i64) : ([n]f64, [n]f64) = (map f64.i64 (iota n), map f64.bool (throws n).0)

-- > :gnuplot {posterior=shown 300i64, truth=truth 300i64};
-- set yrange [-0.05:1.05]
-- set key inside top right
-- plot truth with filledcurves y1=0 lc rgb '#cccccc' title 'loaded', posterior with lines lw 2 title 'probability'
