using System;
using Json = System.Text.Json;
namespace App.Web;

/// <summary>Doc.</summary>
[ApiController]
[Route("api/[controller]")]
public abstract class OrdersController<T> : ControllerBase, IDisposable where T : class, new()
{
    private readonly IStore _store;
    public const int Max = 10;
    public string Name { get; set; } = "x";
    public int Count => 1;
    public event EventHandler? Changed;
    public OrdersController(IStore store, int n = 5) : base(store) { _store = store; }
    [HttpGet("{id}")]
    public async Task<Order?> Get([FromRoute] int id, params string[] rest) { if (id < 0) throw new ArgumentException("id"); return await _store.Find(id); }
    protected internal abstract void Run();
    public static OrdersController<T> operator +(OrdersController<T> a, OrdersController<T> b) => a;
    public T this[int i] { get => default; }
    public class Inner { }
    ~OrdersController() {}
}
public interface IStore { Task<Order?> Find(int id); string Name { get; } void D() { } }
public record Order(int Id, string Name) : Base;
public record struct P(int X);
public struct Point { public int X, Y; }
public enum Color : byte { Red = 1, Green, [Obsolete] Blue }
public delegate void Handler(object sender, int a);
