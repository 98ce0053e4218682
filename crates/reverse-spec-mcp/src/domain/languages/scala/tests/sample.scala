package shop.web

import scala.util.Try

/** An order. */
case class Order(id: Int, name: String) extends Base with Shape {
  val total: Int = 1
  var count = 0
  def run(times: Int = 1)(implicit store: Store): Option[String] = {
    val local = 1
    None
  }
  type Item = Int
}

object Order {
  def make(id: Int): Order = Order(id, "x")
}

trait Shape {
  def area: Double
  val n: Int
}

enum Color:
  case Red, Green

given ordering: Ordering[Order] = ???
type Handler = Int => Unit
def top(a: Int): Int = a
