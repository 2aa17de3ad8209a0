-- An epidemic in cities that people travel between: susceptible, infected and recovered shares as
-- arrays of records, steps of a day; the distance from reported numbers.
type city = {s: f64, i: f64, r: f64}

def day [n] (travel: [n][n]f64) (beta: [n]f64) (gamma: f64) (cities: [n]city) : [n]city =
  let pressure = map (\row -> f64.sum (map2 (\w c -> w * c.i) row cities)) travel
  in map3 (\c p b ->
             let new = c.s * (1 - f64.exp (-b * p))
             let healed = gamma * c.i
             in {s = c.s - new, i = c.i + new - healed, r = c.r + healed})
          cities pressure beta

entry primal [t][n] (travel: [n][n]f64) (beta: [n]f64) (gamma: f64) (reported: [t][n]f64) : f64 =
  let start = map (\k -> let i = if k == 0 then 0.02 else 0.001 in {s = 1 - i, i, r = 0}) (iota n)
  let (_, error) =
    loop (cities, error) = (start, 0) for row in reported do
      let cities = day travel beta gamma cities
      in (cities, error + f64.sum (map2 (\c y -> (c.i - y) ** 2) cities row))
  in error / f64.i64 t

entry gradient [t][n]
               (travel: [n][n]f64) (beta: [n]f64) (gamma: f64) (reported: [t][n]f64) : ([n][n]f64, [n]f64) =
  vjp (\(w, b) -> primal w b gamma reported) (travel, beta) 1
