import type { Problem } from '../contract/problems.ts'
import { listAliasNames } from '../stores/aliases.ts'
import type { TokenDescription } from './admin-tokens/describe.ts'
import type { CommandConfiguration } from './command-configuration.ts'
import type { ListedKey } from './keys/table.ts'
import { mayContainRecords, useStore } from './use-store.ts'

/** The keys and admin tokens of a configuration and its store. */
interface Credentials {
  readonly keys: readonly ListedKey[]
  readonly tokens: readonly TokenDescription[]
}

/**
 * The keys, admin tokens and aliases of the store that have no effect because the configuration has one of
 * the same id or name. Revoked and expired ones have none anyway. Rejects with `StoreUnavailable`.
 */
export async function clashesWithStore(
  configuration: CommandConfiguration,
  { keys, tokens }: Credentials,
): Promise<Problem[]> {
  const { aliases } = configuration.settings
  const stored = mayContainRecords(configuration)
    ? await useStore(configuration, listAliasNames)
    : []
  return [
    ...idsOfBoth(keys).map((id) => clash(`keys.${id}`, revokeIt)),
    ...idsOfBoth(tokens).map((id) => clash(`admin.tokens.${id}`, revokeIt)),
    ...stored
      .filter((name) => Object.hasOwn(aliases, name))
      .map((name) => clash(`aliases.${name}`, removeIt)),
  ]
}

function idsOfBoth(
  all: readonly { readonly id: string; readonly from: string; readonly state: string }[],
): string[] {
  const configured = new Set(all.filter(({ from }) => from !== 'store').map(({ id }) => id))
  const stored = all.filter(({ from, state }) => from === 'store' && state === 'active')
  return stored.map(({ id }) => id).filter((id) => configured.has(id))
}

function clash(path: string, fix: string): Problem {
  const message = 'is in the configuration and in the store; the configuration wins'
  return { path, message, fix }
}

const revokeIt =
  'give it another id in the configuration; or take it out, revoke the one of the store, and put it back'

const removeIt = "delete one of the two: removeAlias of the admin API deletes the store's"
