-- Composition, as other languages write it.
-- at 6
-- ==
-- error: functions are composed by "f >-> g", which applies f first, or by "f <-< g", which applies g first\.

def f = map (+ 1) >> f64.sum
