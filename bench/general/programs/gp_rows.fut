-- The marginal likelihood of a Gaussian process: factorisation by rows, cell by cell in place, in a
-- module over the type of numbers.
module gaussian_process (R: real) = {
  type t = R.t

  local def zero = R.i64 0

  local def dot_upto [n] (k: i64) (a: [n]t) (b: [n]t) : t =
    loop s = zero for i < k do (R.+) s ((R.*) a[i] b[i])

  def cholesky [n] (a: [n][n]t) : [n][n]t =
    loop l = replicate n (replicate n zero) for i < n do
      loop l for j < i + 1 do
        let rest = (R.-) a[i, j] (dot_upto j l[i] l[j])
        in l with [i, j] = copy (if i == j then R.sqrt rest else (R./) rest l[j, j])

  def forward [n] (l: [n][n]t) (b: [n]t) : [n]t =
    loop y = replicate n zero for i < n do
      let v = (R./) ((R.-) b[i] (dot_upto i l[i] y)) l[i, i]
      in y with [i] = copy v

  def kernel [d] (scale: t) (a: [d]t) (b: [d]t) : t =
    let r2 = R.sum (map2 (\u v -> let w = (R.-) u v in (R.*) w w) a b)
    in R.exp ((R./) r2 ((R.*) (R.i64 (-2)) ((R.*) scale scale)))

  def likelihood [n][d] (x: [n][d]t) (y: [n]t) (hyper: [2]t) : t =
    let (scale, noise) = (R.exp hyper[0], R.exp hyper[1])
    let cov =
      map (\i ->
             map (\j ->
                    let k = kernel scale x[i] x[j]
                    in if i == j then (R.+) k ((R.*) noise noise) else k)
                 (iota n))
          (iota n)
    let l = cholesky cov
    let z = forward l y
    let half = R.f64 0.5
    let fit = R.sum (map (\v -> (R.*) half ((R.*) v v)) z)
    let det = R.sum (map (\i -> R.log l[i, i]) (iota n))
    in R.neg ((R.+) ((R.+) fit det)
                    ((R.*) ((R.*) half (R.i64 n)) (R.log ((R.*) (R.i64 2) R.pi))))
}

module gp = gaussian_process f64

entry primal [n][d] (x: [n][d]f64) (y: [n]f64) (hyper: [2]f64) : f64 = gp.likelihood x y hyper

entry gradient [n][d] (x: [n][d]f64) (y: [n]f64) (hyper: [2]f64) : ([n][d]f64, [n]f64, [2]f64) =
  vjp (\(x, y, hyper) -> primal x y hyper) (x, y, hyper) 1
