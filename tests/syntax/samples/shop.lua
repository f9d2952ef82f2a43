-- Sells apples.
local stock = require("market.stock")

local LIMIT = 10
local Shop = {}

--- Sells some.
function Shop.sell(count)
  if count > LIMIT then
    error("too many")
  end
  return stock.take(count)
end

function Shop:shut()
  return self
end

local function hide()
end

return Shop
