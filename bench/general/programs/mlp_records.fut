-- A network with two hidden layers: layers are records, activations come from modules, a product is
-- three loops with a sum in place.
module type activation = { val apply : f64 -> f64 }

module hyperbolic : activation = { def apply (x: f64) = f64.tanh x }

module identity : activation = { def apply (x: f64) = x }

type dense [n][m] = {weights: [n][m]f64, bias: [n]f64}

module layer (A: activation) = {
  def run [b][n][m] (l: dense [n][m]) (xs: [b][m]f64) : [b][n]f64 =
    map (\x ->
           loop out = copy l.bias for i < n do
             let s = loop s = out[i] for j < m do s + l.weights[i, j] * x[j]
             in out with [i] = A.apply s)
        xs
}

module hidden = layer hyperbolic
module output = layer identity

type network [i][a][b][o] = {first: dense [a][i], second: dense [b][a], third: dense [o][b]}

def loss [n][i][a][b][o] (net: network [i][a][b][o]) (xs: [n][i]f64) (ys: [n]i64) : f64 =
  let z = xs |> hidden.run net.first |> hidden.run net.second |> output.run net.third
  let one row y = f64.log (f64.sum (map (\v -> f64.exp (v - row[y])) row))
  in f64.sum (map2 one z ys) / f64.i64 n

entry primal [n][i][h1][h2][o]
             (x: [n][i]f64) (label: [n]i64)
             (w1: [h1][i]f64) (b1: [h1]f64) (w2: [h2][h1]f64) (b2: [h2]f64) (w3: [o][h2]f64)
             (b3: [o]f64) : f64 =
  let net: network [i][h1][h2][o] =
    { first = {weights = w1, bias = b1}
    , second = {weights = w2, bias = b2}
    , third = {weights = w3, bias = b3} }
  in loss net x label

entry gradient [n][i][h1][h2][o]
               (x: [n][i]f64) (label: [n]i64)
               (w1: [h1][i]f64) (b1: [h1]f64) (w2: [h2][h1]f64) (b2: [h2]f64) (w3: [o][h2]f64)
               (b3: [o]f64) : ([h1][i]f64, [h1]f64, [h2][h1]f64, [h2]f64, [o][h2]f64, [o]f64) =
  let net: network [i][h1][h2][o] =
    { first = {weights = w1, bias = b1}
    , second = {weights = w2, bias = b2}
    , third = {weights = w3, bias = b3} }
  let g = vjp (\net -> loss net x label) net 1
  in ( g.first.weights, g.first.bias, g.second.weights, g.second.bias, g.third.weights, g.third.bias )
