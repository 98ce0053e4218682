import 'dart:async';

/// An order.
class Order extends Base implements Shape {
  final int id;
  String? name;
  static const int max = 10;

  Order(this.id);
  Order.named({required this.id});
  factory Order.make() => Order(1);

  int get total => 1;
  set size(int value) {}

  Future<String?> run(int count, {bool fast = false}) async {
    var local = 1;
    return null;
  }

  static Order of() => Order(1);
}

mixin Named {
  String label();
}

extension Texts on String {
  int get half => length ~/ 2;
}

enum Color { red, green }

typedef Handler = void Function(int);

int top(int a) => a;
const limit = 10;
final names = <String>[];
