import type { AdminServices } from '../services.ts'

/**
 * Reads the accounts of the store, and which of them operators have disabled, as they are now: another process
 * may have changed them just now. Never rejects.
 */
export async function catchUpAccounts({
  running: { storedAccounts, accountStates },
}: {
  readonly running: Pick<AdminServices['running'], 'storedAccounts' | 'accountStates'>
}): Promise<void> {
  const read = () => Promise.all([storedAccounts.catchUp(), accountStates.catchUp()])
  await read()
  // A read that began before the last write may have been under way.
  await read()
}
