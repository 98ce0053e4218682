<?php
namespace App\Http;

use App\Models\{User, Post as P};
use function strlen;

/** Doc. */
#[Route('/orders', methods: ['GET'])]
abstract class OrderController extends Controller implements Countable, \JsonSerializable
{
    use SoftDeletes, HasName;
    const MAX = 10;
    protected const string KIND = 'x';
    public static int $count = 0;
    protected ?string $name = null, $b;
    private $fillable = ['a'];
    public function __construct(private readonly Store $store, public int $n = 5) {}
    #[Get('/{id}')]
    public function show(int $id, ?string $q = null, string ...$rest): ?Order { if ($id < 0) { throw new \InvalidArgumentException('x'); } return $this->store->find($id); }
    abstract protected function run();
    public static function make(): static { return new static(); }
}
interface Shape extends A, B { const X = 1; public function area(): float; }
trait HasName { public function name() { return 1; } }
enum Suit: string implements HasColor { case Hearts = 'H'; case Spades = 'S'; const W = self::Hearts; public function color(): string { return 'r'; } }
final readonly class Pt { }
function helper(array $a, &$b, callable|null $c = null): string|int { return 'x'; }
const TOP = 1;
define('OTHER', 2);
Route::get('/users/{id}', [UserController::class, 'show'])->middleware('auth');
if (!function_exists('foo')) { function foo($a) {} }
