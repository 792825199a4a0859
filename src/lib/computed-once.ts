/**
 * A function that computes its result once for each object, and keeps it as long as the object. `compute` does not
 * return `undefined`.
 */
export function computedOnce<Key extends object, Value>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) known.set(key, (value = compute(key)))
    return value
  }
}
