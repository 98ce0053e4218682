#include <string>
namespace shop::web {

/// An order.
template <typename T>
class Order : public Base {
public:
    explicit Order(int id);
    virtual ~Order();
    int total() const { int local = 1; return local; }
    static Order make(T value);
    bool operator==(const Order& other) const;
    std::string name;
private:
    int* id_;
};

struct Point { int x; int y; };
enum class Color { Red, Green };
using Names = std::vector<std::string>;
typedef unsigned int uint;

template <typename T>
int Order<T>::total() const { return 0; }

int add(int a, int b);
inline int add(int a, int b) { return a + b; }
constexpr int kMax = 10;

template <typename T>
concept Small = sizeof(T) < 8;
}
