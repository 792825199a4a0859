/** Ten thousand accounts, in a configuration or in the store. */

import type { AccountConfig } from '../../../src/configuration/config.generated.ts'
import { createSealer } from '../../../src/stores/sealing.ts'
import type { Store } from '../../../src/stores/store.ts'
import {
  type StoredAccountFields,
  accountRecords,
  credentialSubject,
} from '../../../src/stores/stored-accounts.ts'
import { inBatches } from './batches.ts'

export const accountCount = 10_000

/** Accounts that are called and refuse, so that operators see pauses. */
export const pausedCount = 500

/** The model that all these accounts have. */
export const sharedModel = 'shared'

/** The model that one account has. */
export function ownModel(index: number): string {
  return `own-${digits(index)}`
}

/** The accounts; those that refuse are at `upstream`. */
export function manyAccounts(upstream: string): AccountConfig[] {
  return Array.from({ length: accountCount }, (_, index) => ({
    id: accountId(index),
    ...(index < pausedCount
      ? { provider: 'openai-compatible', baseUrl: upstream, speaks: ['chat'] }
      : { provider: index % 2 === 0 ? 'openai' : 'anthropic' }),
    apiKey: `sk-${digits(index)}-0123456789abcdef`,
    models: [ownModel(index), sharedModel, `family-${index % 50}-*`],
    priority: index % 3,
  }))
}

/** The id of one of the accounts. */
export function accountId(index: number): string {
  return `account-${digits(index)}`
}

function digits(index: number): string {
  return String(index).padStart(5, '0')
}

/** Writes accounts into a store, as the admin API does: with sealed credentials. */
export async function storeAccounts(
  store: Store,
  accounts: readonly AccountConfig[],
  secretKey: string,
): Promise<void> {
  const records = accountRecords(store)
  const sealer = createSealer([secretKey])
  const at = Date.now()
  await inBatches(accounts.length, (from, size) =>
    records.setMany(
      accounts.slice(from, from + size).map(({ apiKey = '', ...fields }) => {
        const account = fields as StoredAccountFields
        return {
          id: account.id,
          value: {
            version: 1,
            createdAt: at,
            changedAt: at,
            account,
            credential: { changedAt: at, sealed: sealer.seal(apiKey, credentialSubject(account)) },
          },
        }
      }),
    ),
  )
}
