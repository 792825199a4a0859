import type { KeyView } from '../../admin/key-view.ts'
import type { ShownToken } from '../../admin/tokens.ts'
import type { Problem } from '../../contract/problems.ts'
import { listAliasNames } from '../../stores/aliases.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { mayContainRecords, useStore } from '../use-store.ts'

/** The keys and admin tokens of a configuration and its store. */
interface Credentials {
  readonly keys: readonly KeyView[] | undefined
  readonly tokens: readonly ShownToken[] | undefined
}

/**
 * The keys, admin tokens and aliases of the store that have no effect because the configuration has one of
 * the same id or name. Revoked and expired ones have none anyway. Rejects with `StoreUnavailable`.
 */
export async function clashesWithStore(
  configuration: CommandConfiguration,
  { keys, tokens }: Credentials,
): Promise<Problem[]> {
  // Then the store is not read, or cannot be.
  if (!keys || !tokens) return []
  const { aliases } = configuration.settings
  const stored = mayContainRecords(configuration)
    ? await useStore(configuration, listAliasNames)
    : []
  return [
    ...idsOfBoth(keys, ({ managedBy }) => managedBy === 'STORE').map((id) =>
      clash(`keys.${id}`, revokeIt),
    ),
    ...idsOfBoth(tokens, ({ origin }) => origin === 'STORE').map((id) =>
      clash(`admin.tokens.${id}`, revokeIt),
    ),
    ...stored
      .filter((name) => Object.hasOwn(aliases, name))
      .map((name) => clash(`aliases.${name}`, removeIt)),
  ]
}

function idsOfBoth<One extends { readonly id: string; readonly state: string }>(
  all: readonly One[],
  isStored: (one: One) => boolean,
): string[] {
  const configured = new Set(all.filter((one) => !isStored(one)).map(({ id }) => id))
  const stored = all.filter((one) => isStored(one) && one.state === 'ACTIVE')
  return stored.map(({ id }) => id).filter((id) => configured.has(id))
}

function clash(path: string, fix: string): Problem {
  const message = 'is in the configuration and in the store; the configuration wins'
  return { path, message, fix }
}

const revokeIt =
  'give it another id in the configuration; or take it out, revoke the one of the store, and put it back'

const removeIt = "delete one of the two: removeAlias of the admin API deletes the store's"
