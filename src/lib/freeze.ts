import type { Work } from './turns.ts'

/** Values that are frozen between two steps. */
const stride = 1_000

/** Freezes a JSON value and all that it contains. */
export function* freezeAll(value: unknown): Work<void> {
  const open = [value]
  for (let count = 1; open.length > 0; count++) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue
    for (const member of Object.values(next)) {
      if (typeof member === 'object' && member !== null) open.push(member)
    }
    Object.freeze(next)
    if (count % stride === 0) yield
  }
}
