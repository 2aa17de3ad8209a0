-- A plain abbreviation cannot hide sizes.
-- at 6
-- ==
-- error: Non-lifted type abbreviations may not use existential sizes

type e13 = []i32
