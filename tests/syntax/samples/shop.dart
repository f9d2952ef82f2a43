/// What a shop sells, and to whom.
library shop;

import 'dart:async';
import 'package:market/stock.dart' as stock show Shelf, takeApple;
import '../scale.dart';
export 'src/basket.dart';
part 'shop.g.dart';

const int kMost = 10;
final _open = <Shop>{};

typedef Watcher = void Function(int count);

/// Sells apples. And pears, in autumn.
@immutable
abstract class Shop<T extends Fruit> extends stock.Shelf<T> with Weighing, Logs<int> implements Seller {
  /// A shop that is open.
  const Shop(this.items, {super.key});

  Shop._hidden() : items = const [], super(key: 'none');

  factory Shop.empty() => _Stall();

  static const limit = 3;
  static int _count = 0;
  final List<T> items;

  /// How many are left.
  int get left => items.length;

  set left(int count) {
    _resize(count);
  }

  /// {@macro sell}
  @override
  Future<int> sell(int count) async {
    if (count > kMost) throw ArgumentError('too many');
    final apple = await stock.takeApple(count);
    int rounded(num weight) => weight.round();
    scale
      ..weigh(apple)
      ..reset();
    return super.sell(rounded(this.weight(apple)?.grams()));
  }

  void shut();

  bool operator ==(Object other) => identical(this, other);

  void _resize(int count) => log('now $count, ${describe(count)}');
}

class _Stall = Shop<Pear> with Weighing;

mixin Weighing on Scale, Logs implements Comparable<Scale> {
  double weight(Object apple) => const Reading.zero().value;
}

extension Prices on int {
  String get euros => '$this €';
}

extension on Shop {
  void clear() => items.clear();
}

extension type Price(int cents) {
  Price half() => new Price(cents ~/ 2);
}

enum Colour implements Named {
  red('r'),
  green('g');

  const Colour(this.letter);
  final String letter;
}

Shop? get nearest => _open.firstOrNull;

Future<void> main(List<String> args) async {
  await Shop.empty().sell(1);
}
