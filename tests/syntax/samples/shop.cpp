// The shop of the market.
#include "shop.hpp"
#include <vector>

namespace market {

/// Holds what was chosen.
class Basket : public Shelf, private detail::Counted<Basket> {
 public:
  Basket() = default;
  ~Basket();
  int sell(int count) const;
  std::vector<int>& items() { return items_; }

 private:
  std::vector<int> items_;
};

template <typename T>
T largest(const std::vector<T>& all) {
  if (all.empty()) throw std::runtime_error("none");
  return *std::max_element(all.begin(), all.end());
}

using Price = double;

}  // namespace market

int market::Basket::sell(int count) const {
  try {
    return take(count);
  } catch (const std::out_of_range& wrong) {
    return 0;
  }
}
