import type { AdminContext } from './context.ts'
import { noteStale } from './incomplete.ts'

/** A list of the store that this process follows. */
interface FollowedList {
  /** The last read failed: the list is what was known last. */
  readonly isStale: boolean
  /** Looks for changes. Never rejects. */
  catchUp(): Promise<void>
}

/**
 * Looks for changes of the lists that a field shows. While the store is away they are what was known last, and the
 * result says so of the field.
 */
export async function catchUpWith(
  context: Pick<AdminContext, 'incomplete'>,
  field: string,
  ...lists: readonly FollowedList[]
): Promise<void> {
  await Promise.all(lists.map((list) => list.catchUp()))
  if (lists.some(({ isStale }) => isStale)) noteStale(context, field)
}

/** Reads the store for a field, as `Reads.run` does for its principal. */
export function readStore<T>(
  {
    services: { reads },
    principal,
    signal,
  }: Pick<AdminContext, 'services' | 'principal' | 'signal'>,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return reads.run(principal.id, signal, read)
}
