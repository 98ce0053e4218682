package app.web

import app.core.Store as S
import app.util.*

/** Doc. */
@RestController
@RequestMapping("/orders")
open class Orders<T : Any>(private val store: Store, val size: Int = 3) : Base(store), Shape by store {
    @GetMapping("/{id}")
    suspend fun get(@PathVariable id: Int, vararg rest: String): Order? { require(id > 0); if (id < 0) throw IllegalArgumentException("x"); return store.find(id) }
    protected open val name: String = "x"
    var count: Int = 0
        private set
    lateinit var late: String
    constructor(a: Int) : this(Store(), a) {}
    companion object {
        const val MAX = 10
        fun of(): Orders<Any> = Orders(1)
    }
    inner class Inner
    init { println("x") }
}
data class Order(val id: Int, var name: String?)
interface Shape {
    fun area(): Double
    val n: Int
    fun d() { }
}
enum class Color(val rgb: Int) { RED(1), GREEN(2); fun x() = 1 }
object Single { fun a() {} }
sealed interface Res
typealias Handler = (Int) -> Unit
fun <T> List<T>.second(): T = this[1]
const val TOP: Int = 1
val y by lazy { 1 }
internal fun hidden() {}
private class Priv
annotation class Mark(val x: Int)
fun interface Act {
    fun run()
}
