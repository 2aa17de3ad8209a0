-- Second derivatives of loops, free arrays, reductions, scans, histograms and scatters.
-- ==
-- input {} output { [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"
def hs f = check_hessian (\x -> f64.sum (f x)) [0.7,-1.3,2.1,0.4]
def rec1 [n] (x: [n]f64) = loop acc = copy x for i < n-1 do acc with [i+1] = f64.sin acc[i] * acc[i+1]
def mm [n] (x: [n]f64) = let a = tabulate_2d n n (\i j -> x[i] * x[(j+i)%n])
  in flatten (map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose a)) a)
def gath [n] (x: [n]f64) = map (\i -> x[i%2] * x[i] * f64.sum x) (iota n)
def gath2 [n] (x: [n]f64) = map (\i -> loop a = 1 for j < i do a * x[j] * x[i]) (iota n)
def gath3 [n] (x: [n]f64) = map (\i -> if x[i] > 0 then x[0]*x[i] else x[1]*x[1]*x[i]) (iota n)
def wh [n] (x: [n]f64) =
  let (a, _, ys) = loop (a, i, ys) = (x[0], 0i32, copy x) while a < 10 && i < 20 do
    (a * 1.5 + f64.sin a, i + 1, ys with [0] = ys[0] * a)
  in map (* a) ys
def hist [n] (x: [n]f64) = reduce_by_index (map (*2) x) (*) 1 (map (%2) (iota n)) (map (\v -> v*v) x)
def histp [n] (x: [n]f64) = let h = reduce_by_index (map (*2) x) (+) 0 (map (%2) (iota n)) (map (\v -> v*v) x) in map2 (*) h h
def histm [n] (x: [n]f64) = let h = reduce_by_index (map (*0.5) x) f64.max (-f64.inf) (map (%2) (iota n)) (map (\v -> v*v) x) in map2 (*) h h
def scat [n] (x: [n]f64) = let h = scatter (map (*0.5) x) (map (%3) (iota n)) (map (\v -> v*v) x) in map2 (*) h h
def sc [n] (x: [n]f64) = scan (\a b -> a*b + a + b) 0 x
def sc2 [n] (x: [n]f64) = let (a, b) = unzip (scan (\(a,b) (c,d) -> (a*c, b*c+d)) (1,0) (map (\v -> (v, v*v)) x)) in map2 (*) a b
def red [n] (x: [n]f64) = let (a, b) = reduce (\(a,b) (c,d) -> (a*c, b*c+d)) (1,0) (map (\v -> (v, v*v)) x) in [a * b]
def redf [n] (x: [n]f64) = let w = x[0] in [reduce (\a b -> a + b + w * a * b) 0 x]
def filt [n] (x: [n]f64) = let y = filter (> 0) (map (\v -> v * v * v) x) in [f64.sum (map (\a -> a * a) y)]
entry main = [hs rec1, hs mm, hs gath, hs gath2, hs gath3, hs wh, hs hist, hs histp, hs histm, hs scat, hs sc, hs sc2, hs red, hs redf, hs filt]
