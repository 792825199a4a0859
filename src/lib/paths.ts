/** Joins keys to a path such as `accounts[1].apiKey`. */
export function joinPath(path: string, keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((joined, key) => {
    if (typeof key === 'number') return `${joined}[${key}]`
    return joined === '' ? String(key) : `${joined}.${String(key)}`
  }, path)
}

/** Without what follows a colon: in YAML, `apiKey:secret` without a space is a key. */
export function shownKey(key: string): string {
  return key.replace(/[^\w$-].*$/s, '...')
}

/** The value behind some keys; `undefined` without such a value. */
export function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown>)?.[key], value)
}
