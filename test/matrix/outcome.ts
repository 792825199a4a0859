/** What became of a cell, as its table writes it. */
export type Outcome = 'served' | `served without ${string}` | `400 ${string}`

/** Served, and without the fields that the gateway named as lost. */
export function servedWithout(lost: ReadonlySet<string>): Outcome {
  return lost.size > 0 ? `served without ${[...lost].toSorted().join(', ')}` : 'served'
}
