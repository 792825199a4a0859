import { type AccountSlots, atLimit } from '../src/accounts/slots.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'

/** Shows operators the accounts that are at their `maxConcurrent`. The kernel keeps calls from them. */
export function concurrency(slots: Pick<AccountSlots, 'isFull'>): GatewayPlugin {
  return definePlugin({
    name: 'concurrency',
    exclusions: (accounts) =>
      accounts
        .filter((account) => slots.isFull(account))
        .map((account) => ({ ...atLimit(account), kind: 'other' as const })),
  })
}
