import type { AdminContext } from './context.ts'

/**
 * Looks for changes of a list that this process follows. While the store is away the list is what was
 * known last, and the result says so of the field.
 */
export async function catchUpWith(
  { stale }: Pick<AdminContext, 'stale'>,
  field: string,
  list: { readonly isStale: boolean; catchUp(): Promise<void> },
): Promise<void> {
  await list.catchUp()
  if (list.isStale) stale.add(field)
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
