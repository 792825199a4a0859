import { nextTurn } from '../lib/turns.ts'
import type { BucketSums, Ledger, SumsOf, SumsPart } from '../stores/ledger.ts'

/** Whose calls a question is about. Absent members: all. */
export type OwnerFilter = Partial<{
  readonly [Name in keyof SumsOf]: SumsOf[Name] | undefined
}>

/** A question that would read more than a query may. */
export class TooMuch extends Error {
  constructor() {
    super(`It would read more than ${mostRead} sums: ask for less time, or for larger steps.`)
    this.name = 'TooMuch'
  }
}

/** The sums that one question may read. */
const mostRead = 200_000

/**
 * Calls `visit` with the sums of parts of time, in turns of the event loop. Rejects with `TooMuch`, with the reason of the
 * signal, and as the store does.
 */
export async function visitSums(
  ledger: Pick<Ledger, 'sums'>,
  parts: readonly SumsPart[],
  visit: (sums: BucketSums) => void,
  { filter, signal }: { readonly filter?: OwnerFilter; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  let read = 0
  for (const part of parts) {
    for await (const page of ledger.sums(part)) {
      read += page.length
      if (read > mostRead) throw new TooMuch()
      for (const one of page) if (!filter || passes(one, filter)) visit(one)
      await nextTurn()
      signal?.throwIfAborted()
    }
  }
}

/** Whether a filter leaves anybody out. */
export function isFilter(filter: OwnerFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}

const names = ['team', 'keyId', 'model', 'accountId'] as const

function passes(one: SumsOf, filter: OwnerFilter): boolean {
  return names.every((name) => filter[name] === undefined || filter[name] === one[name])
}
