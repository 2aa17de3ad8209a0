-- # The Greeks of an option
--
-- The price of a call option by the formula of Black and Scholes, and its sensitivities: delta, gamma, vega, theta
-- and rho are derivatives of the price with respect to its inputs. One `vjp` gives all four first derivatives (delta,
-- vega, theta, rho); gamma is the second derivative with respect to the spot price, a `jvp` of a `jvp`.
-- ==
-- entry: main
-- input { 100.0 } output { 10.450584 0.636831 0.018762 37.524035 53.232482 -6.414028 }

type market = {spot: f64, strike: f64, rate: f64, volatility: f64, years: f64}

def normal_cdf (x: f64) : f64 = 0.5 * f64.erfc (-x / f64.sqrt 2)

def call (m: market) : f64 =
  let s = m.volatility * f64.sqrt m.years
  let d1 = (f64.log (m.spot / m.strike) + (m.rate + m.volatility ** 2 / 2) * m.years) / s
  in m.spot * normal_cdf d1 - m.strike * f64.exp (-m.rate * m.years) * normal_cdf (d1 - s)

def market (spot: f64) : market = {spot, strike = 100, rate = 0.05, volatility = 0.2, years = 1}

def delta (m: market) : f64 = jvp (\spot -> call (m with spot = spot)) m.spot 1
def gamma (m: market) : f64 = jvp (\spot -> delta (m with spot = spot)) m.spot 1

-- Price, delta, gamma, vega, rho and theta (per year) of an option at the money:

entry main (spot: f64) : (f64, f64, f64, f64, f64, f64) =
  let m = market spot
  let (price, d) = vjp2 call m 1
  in (price, d.spot, gamma m, d.volatility, d.rate, -d.years)

-- > main 100.0

-- The option and its Greeks over the spot price; each curve is a `map` of a derivative:

def curve (n: i64) (f: market -> f64) : ([n]f64, [n]f64) =
  let spots = tabulate n (\i -> 50 + 100 * f64.i64 i / f64.i64 (n - 1))
  in (spots, map (\s -> f (market s)) spots)

def prices (n: i64) : ([n]f64, [n]f64) = curve n call
def deltas (n: i64) : ([n]f64, [n]f64) = curve n delta
def gammas (n: i64) : ([n]f64, [n]f64) = curve n (\m -> 25 * gamma m)
def vegas (n: i64) : ([n]f64, [n]f64) = curve n (\m -> (vjp call m 1).volatility / 50)

-- > :plot2d {price=prices 100i64};
-- size: (480, 300)

-- > :gnuplot {d=deltas 100i64, g=gammas 100i64, v=vegas 100i64};
-- set key inside top left
-- set xlabel 'spot price'
-- plot d with lines lw 2 title 'delta', g with lines lw 2 title '25 gamma', v with lines lw 2 title 'vega / 50'

-- The same by simulation. The price is the mean of what many random paths pay, and its derivative by the volatility is
-- that of the simulation: no formula is needed, so it works as well for options that have none.

import "lib/random"

def simulated (n: i64) (m: market) : f64 =
  let pay i =
    let z = normal 1 i
    let s = m.spot * f64.exp ((m.rate - m.volatility ** 2 / 2) * m.years + m.volatility * f64.sqrt m.years * z)
    in f64.max 0 (s - m.strike)
  in f64.exp (-m.rate * m.years) * f64.sum (tabulate n pay) / f64.i64 n

def simulated_greeks (n: i64) (spot: f64) : (f64, f64, f64) =
  let (price, d) = vjp2 (simulated n) (market spot) 1
  in (price, d.spot, d.volatility)

-- > simulated_greeks 200000i64 100.0
