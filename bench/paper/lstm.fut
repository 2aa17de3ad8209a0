-- A recurrent network with diagonal weights predicts the next character, given as b bits.
def sigmoid (x: f64) = 1 / (1 + f64.exp (-x))

type layer [b] = {weight: [4][b]f64, bias: [4][b]f64}

def cell_step [b] (p: layer [b]) (hidden: [b]f64) (cell: [b]f64) (x: [b]f64) : (*[b]f64, *[b]f64) =
  let gate k v = map3 (\a w c -> a * w + c) v p.weight[k] p.bias[k]
  let forget = map sigmoid (gate 0 x)
  let ingate = map sigmoid (gate 1 hidden)
  let outgate = map sigmoid (gate 2 x)
  let change = map f64.tanh (gate 3 hidden)
  let cell' = map4 (\c f i g -> c * f + i * g) cell forget ingate change
  in (map2 (\o c -> o * f64.tanh c) outgate cell', cell')

def predict [l][b] (main: [l][2][4][b]f64) (extra: [3][b]f64) (state: *[l][2][b]f64) (input: [b]f64) =
  let (state, x) =
    loop (state, x) = (state, map2 (*) input extra[0])
    for k < l do
      let (hidden, cell) =
        cell_step {weight = main[k, 0], bias = main[k, 1]} state[k, 0] state[k, 1] x
      let state[k, 0] = hidden
      let state[k, 1] = cell
      in (state, hidden)
  in (state, map3 (\a w c -> a * w + c) x extra[1] extra[2])

entry primal [l][b][c]
             (main: [l][2][4][b]f64)
             (extra: [3][b]f64)
             (state: [l][2][b]f64)
             (sequence: [c][b]f64) : f64 =
  let (_, total) =
    loop (state, total) = (copy state, 0)
    for t < c - 1 do
      let (state, y) = predict main extra state sequence[t]
      let norm = f64.log (2 + f64.sum (map f64.exp y))
      in (state, total + f64.sum (map2 (\s a -> s * (a - norm)) sequence[t + 1] y))
  in -total / f64.i64 (b * (c - 1))

entry gradient [l][b][c]
               (main: [l][2][4][b]f64)
               (extra: [3][b]f64)
               (state: [l][2][b]f64)
               (sequence: [c][b]f64) : ([l][2][4][b]f64, [3][b]f64) =
  vjp (\(m, e) -> primal m e state sequence) (main, extra) 1
