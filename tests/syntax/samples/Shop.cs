using System.Collections.Generic;
using Market.Stock;

namespace Market.Shop;

/// <summary>Sells apples.</summary>
[Serializable]
public class Shop<T> : Shelf, ISeller<T>
{
    public const int Limit = 10;

    private readonly List<T> items;

    public Shop(List<T> items) : base(items) { }

    public int Count { get; set; }

    /// <summary>Sells some.</summary>
    [HttpPost("/sell")]
    public async Task<int> SellAsync(int count)
    {
        if (count > Limit) throw new ArgumentException("too many");
        return await TakeAsync(count);
    }

    private void Hide() => Console.WriteLine("hidden");
}

public interface ISeller<T> { Task<int> SellAsync(int count); }

public enum Colour { Red, Green }
