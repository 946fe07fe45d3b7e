#pragma once
// A value whose copies share it until one of them is changed. Not for more than one thread.

#include <memory>
#include <utility>

namespace base {

template <class Value>
class Shared {
 public:
  Shared() = default;
  Shared(Value value) : value_(std::make_shared<Value>(std::move(value))) {}

  const Value& operator*() const {
    static const Value none;
    return value_ ? *value_ : none;
  }
  const Value* operator->() const { return &**this; }
  // Of this copy alone. A reference that holds until this is copied or assigned to.
  Value& change() {
    if (!value_ || value_.use_count() > 1) value_ = std::make_shared<Value>(**this);
    return *value_;
  }

  bool operator==(const Shared& other) const { return value_ == other.value_ || **this == *other; }

 private:
  std::shared_ptr<Value> value_;  // nullptr: an empty one
};

}  // namespace base
