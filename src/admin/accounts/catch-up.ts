import type { AdminServices } from '../services.ts'

interface Services {
  readonly running: Pick<AdminServices['running'], 'storedAccounts' | 'accountStates'>
}

/** The accounts of the store, and which of them operators have disabled, as this process follows them. */
export function followedAccounts({ running: { storedAccounts, accountStates } }: Services) {
  return {
    /** The last read of the store failed: it may have other accounts, or other states, by now. */
    get isStale(): boolean {
      return storedAccounts.isStale || accountStates.isStale
    },
    /** Reads the changes of the store. Never rejects. */
    async catchUp(): Promise<void> {
      await Promise.all([storedAccounts.catchUp(), accountStates.catchUp()])
    },
  }
}

/**
 * Reads the accounts of the store, and which of them operators have disabled, as they are now: another process
 * may have changed them just now. Never rejects; `isStale` of `followedAccounts` is true after a failure.
 */
export async function catchUpAccounts(services: Services): Promise<void> {
  const accounts = followedAccounts(services)
  await accounts.catchUp()
  // A read that began before the last write may have been under way.
  await accounts.catchUp()
}
