import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 24

/** Random bytes for many ids at once: each call for random bytes is expensive. */
const pool = Buffer.alloc(128 * idLength)
let used = pool.length

/**
 * A new id: the prefix and 24 random letters and digits. A byte modulo 62 has a bias, which is too
 * small to matter for ids.
 */
export function newId(prefix: string): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let id = prefix
  for (const end = used + idLength; used < end; used++) {
    id += alphabet[pool[used]! % alphabet.length]
  }
  return id
}
