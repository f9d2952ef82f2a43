{-# LANGUAGE CPP #-}
{-# LANGUAGE LambdaCase #-}
{-# LANGUAGE OverloadedStrings #-}

-- |
-- Sells apples. And pears, in autumn.
module Market.Shop
  ( -- * Selling
    Shop (..)
  , Seller (..)
  , sell
  , (<+>)
  , module Market.Stock
  ) where

import Prelude hiding (lookup)
import qualified Data.Map.Strict as Map
import Data.Text (Text, pack)
import Market.Stock (Shelf (..), takeApple, (.:))

#if MIN_VERSION_base(4,18,0)
import Data.List (singleton)
#endif

-- | What is open.
data Shop a
  = Shop { owner :: Text, apples :: !Int }
  | Closed -- ^ On Sundays.
  | Int :+ Int
  deriving (Eq, Show)

newtype Price = Price { cents :: Int } deriving newtype (Num)

type Basket a = Map.Map Text (Shop a)

{-| Who sells.

Others buy. -}
class Eq a => Seller a where
  -- | How much is left.
  left :: a -> Int
  left = const 0
  type Good a

instance Seller a => Seller (Shop a) where
  left = apples

instance Show Price where show (Price p) = show p

-- | Sells some, at once.
sell :: Int   -- ^ how many
     -> Shop a
     -> Either Error (Shop a)
sell 0 shop = Right shop
sell count shop
  | count > left shop = Left (tooMany count)
  | otherwise = Map.lookup key . rounded $ shop
  where
    rounded = takeApple count
    key = owner shop .: "name"
{-# INLINE sell #-}

infixl 5 <+>
(<+>) :: Price -> Price -> Price
Price a <+> b = Price (a + cents b)

a `plus` b = a <+> b

foldl', limit :: Int
foldl' = limit
limit = 10

open' :: Text -> Shop a
open' name = Shop { owner = name, apples = 0 }

main :: IO ()
main = do
  print (open' (pack "corner"))
  mapM_ (\case { Closed -> pure (); _ -> shut }) =<< shops
