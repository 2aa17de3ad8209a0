-- # Factorisation of a sparse matrix
--
-- Users have rated some films. A table of rank three that agrees with the known ratings also predicts
-- the missing ones. Only the known entries are ever touched: the loss gathers the rows of users and films, so
-- its derivative scatters to these rows; `vjp` derives this by itself.
-- ==
-- entry: main
-- input { 60i64 40i64 300i64 } output { 0.013585 }

import "lib/random"
import "lib/draw"

def rank : i64 = 3

type factors [m] [n] = {users: [m][rank]f64, films: [n][rank]f64}

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

def loss [m] [n] [k] (rows: [k]i64) (columns: [k]i64) (ratings: [k]f64) (f: factors [m] [n]) : f64 =
  let misfit r c v = (dot f.users[r] f.films[c] - v) ** 2
  let size [a] (xss: [a][rank]f64) = f64.sum (map (** 2) (flatten xss))
  in f64.sum (map3 misfit rows columns ratings) + 0.05 * (size f.users + size f.films)

-- The truth has rank three; two entries in five are known.

def truth (r: i64) (c: i64) : f64 =
  f64.sum (map (\j -> normal (10 + j) r * normal (20 + j) c) (iota rank))

def known (m: i64) (n: i64) : ([]i64, []i64, []f64) =
  let places = filter (\e -> uniform 5 e < 0.4) (iota (m * n))
  in unzip3 (map (\e -> (e / n, e % n, truth (e / n) (e % n) + 0.01 * normal 6 e)) places)

def fit (m: i64) (n: i64) (steps: i64) : factors [m] [n] =
  let (rows, columns, ratings) = known m n
  let start =
    { users = tabulate_2d m rank (\i j -> 0.5 * normal 7 (i * rank + j))
    , films = tabulate_2d n rank (\i j -> 0.5 * normal 8 (i * rank + j))
    }
  let zero = {users = replicate m (replicate rank 0), films = replicate n (replicate rank 0)}
  let (f, _) =
    loop (f, v) = (start, zero)
    for _i < steps do
      let g = vjp (loss rows columns ratings) f 1
      let momentum [a] (v: [a][rank]f64) (d: [a][rank]f64) = map2 (map2 (\v d -> 0.9 * v - 0.01 * d)) v d
      let v = {users = momentum v.users g.users, films = momentum v.films g.films}
      let move [a] (x: [a][rank]f64) (d: [a][rank]f64) = map2 (map2 (+)) x d
      in ({users = move f.users v.users, films = move f.films v.films}, v)
  in f

-- The root mean squared error over all entries, also those that were not known (the entries themselves have a deviation of 1.7):

entry main (m: i64) (n: i64) (steps: i64) : f64 =
  let f = fit m n steps
  let errors = tabulate_2d m n (\i j -> (dot f.users[i] f.films[j] - truth i j) ** 2)
  in f64.sqrt (f64.sum (flatten errors) / f64.i64 (m * n))

-- > main 60i64 40i64 300i64

-- What is known (grey: unknown), what the factors make of it, and the truth:

def shade (x: f64) : u32 = diverging (0.5 + x / 8)

def enlarge [m] [n] (k: i64) (p: [m][n]u32) : [m * k][n * k]u32 =
  tabulate_2d (m * k) (n * k) (\i j -> p[i / k, j / k])

def picture (m: i64) (n: i64) (steps: i64) : [][]u32 =
  let (rows, columns, ratings) = known m n
  let f = fit m n steps
  let given = scatter_2d (replicate m (replicate n (rgb 0.6 0.6 0.6))) (zip rows columns) (map shade ratings)
  let found = tabulate_2d m n (\i j -> shade (dot f.users[i] f.films[j]))
  let right = tabulate_2d m n (\i j -> shade (truth i j))
  let white = replicate m (replicate 3 (rgb 1 1 1))
  in enlarge 4 (map3 (\a b c -> a ++ b ++ c) given (map2 (++) white found) (map2 (++) white right))

-- > :img picture 60i64 40i64 300i64
