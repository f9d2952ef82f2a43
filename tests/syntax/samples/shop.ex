defmodule Market.Shop do
  @moduledoc """
  Sells apples.

  And pears, in autumn.
  """
  @behaviour Market.Seller
  use Market.Base, currency: :eur
  alias Market.{Stock, Scale}
  alias Market.Till, as: Cash
  require Logger

  @limit 10
  @type apple :: %{weight: integer}
  @callback weigh(apple) :: integer

  defstruct [:name]

  @doc """
  Sells some. Raises where there are too many.
  """
  @spec sell(integer) :: :ok | {:error, term}
  def sell(count) when count > @limit do
    raise ArgumentError, "too many"
  end

  def sell(count) do
    Stock.take(count) |> Scale.weigh() |> rounded()
    Cash.open(%Market.Shop{name: "corner"})
  end

  @impl true
  def name, do: :corner

  defp rounded(weight), do: Float.round(weight)

  defmacro discount(percent) do
    quote do: unquote(percent) / 100
  end
end

defimpl String.Chars, for: Market.Shop do
  def to_string(shop), do: shop.name
end
