-- A loop that adds up a value of each point is a reduction in what one thread differentiates too, where a value takes a loop of
-- its own: nothing of the points is kept, and the adjoint of what they share is summed in one nest.
-- structure sequential: loop 1, withacc 1, screma.map 2, scratch 0
-- ==
-- input { [[1.0, 2.0, 0.5], [0.25, -1.0, 3.0]] [2.0, 4.0] [0.5, 0.25, -0.125] }
-- output { [18.57421875, -53.9765625, 183.943359375] }
def loss [n] [d] (xs: [n][d]f64) (ys: [n]f64) (w: [d]f64) : f64 =
  loop l = 0 for i < n do
    let p = loop s = 0 for j < d do s + w[j] * xs[i, j]
    in l + (p - ys[i]) ** 3

entry main [n] [d] (xs: [n][d]f64) (ys: [n]f64) (w: [d]f64) : [d]f64 = vjp (loss xs ys) w 1
