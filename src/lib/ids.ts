import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 24

/** Randomness is fetched for many ids at once: fetching it is what costs. */
const pool = Buffer.alloc(128 * idLength)
let taken = pool.length

/**
 * A new name: the prefix and 24 letters and digits. A byte chooses among 62 with a bias too small to
 * matter for names.
 */
export function newId(prefix: string): string {
  if (taken === pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  let id = prefix
  for (const end = taken + idLength; taken < end; taken++) {
    id += alphabet[pool[taken]! % alphabet.length]
  }
  return id
}
