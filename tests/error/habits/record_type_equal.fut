-- A record type with equals signs.
-- at 6
-- ==
-- error: a colon follows the name of a field

type t = {a = f64}
