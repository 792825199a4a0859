import { randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * A new name: the prefix and 24 letters and digits. A byte chooses among 62 with a bias too small to
 * matter for names.
 */
export function newId(prefix: string): string {
  let id = prefix
  for (const byte of randomBytes(24)) id += alphabet[byte % alphabet.length]
  return id
}
