import { type KeyView, viewOf } from '../admin/key-view.ts'
import { type ShownToken, showConfigured, showStored } from '../admin/tokens.ts'
import { createCredentialPlaces } from '../configuration/credential-places.ts'
import { readSecretKeys } from '../configuration/secret-keys.ts'
import type { EnvironmentVariables } from '../configuration/secrets.ts'
import { type ReadAccount, readStoredAccount } from '../configuration/stored-accounts.ts'
import { ConfigurationError, type Problem } from '../contract/problems.ts'
import { listAccountStates } from '../stores/account-states.ts'
import { listAdminTokens } from '../stores/admin-tokens.ts'
import { listKeys } from '../stores/keys.ts'
import { listAll } from '../stores/list-all.ts'
import { type Sealer, createSealer } from '../stores/sealing.ts'
import type { Store } from '../stores/store.ts'
import { accountRecords } from '../stores/stored-accounts.ts'
import type { CommandConfiguration } from './command-configuration.ts'
import { mayContainRecords, useStore } from './use-store.ts'

/**
 * The records that the checks of a configuration read. They do not create a missing store, and reject with
 * `StoreUnavailable`.
 */

/** The keys of the configuration. */
export function configuredKeys({ settings }: CommandConfiguration): KeyView[] {
  return settings.keys.map((key) => viewOf(key, 'FILE', Date.now()))
}

/** The keys of the configuration and the store. */
export async function allKeys(configuration: CommandConfiguration): Promise<KeyView[]> {
  const stored = mayContainRecords(configuration) ? await useStore(configuration, listKeys) : []
  const views = stored.map((key) => viewOf(key, 'STORE', Date.now()))
  return [...configuredKeys(configuration), ...views]
}

/** The admin tokens of the configuration and the environment. */
export function configuredTokens({ settings }: CommandConfiguration): ShownToken[] {
  return (settings.adminTokens ?? []).map((token) => showConfigured(token, Date.now()))
}

/** The admin tokens of the configuration, the environment and the store. */
export async function allTokens(configuration: CommandConfiguration): Promise<ShownToken[]> {
  const stored = mayContainRecords(configuration)
    ? await useStore(configuration, listAdminTokens)
    : []
  const shown = stored.map((token) => showStored(token, Date.now()))
  return [...configuredTokens(configuration), ...shown]
}

/** The ids of the accounts that the store disables. */
export async function disabledAccounts(
  configuration: CommandConfiguration,
): Promise<ReadonlySet<string>> {
  if (!mayContainRecords(configuration)) return new Set()
  const states = await useStore(configuration, listAccountStates)
  return new Set([...states].filter(([, { enabled }]) => !enabled).map(([id]) => id))
}

/** The sealer of a store, as a gateway in this environment has it. Throws `ConfigurationError`. */
export function sealerOf(store: Store, env: EnvironmentVariables): Sealer {
  const problems: Problem[] = []
  const keys = readSecretKeys(env, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  const { ownSecretKey } = store
  return createSealer(keys, ownSecretKey && (() => ownSecretKey.call(store)))
}

/**
 * The accounts of the store, as a gateway in this environment reads them. Does not create a missing
 * store. Rejects with `StoreUnavailable`.
 */
export async function storedAccounts(
  configuration: CommandConfiguration,
  env: EnvironmentVariables,
): Promise<readonly ReadAccount[]> {
  if (!mayContainRecords(configuration)) return []
  return await useStore(configuration, async (store) => {
    const { settings, storeBase: cwd } = configuration
    const places = createCredentialPlaces(settings.credentialPlaces, { store: settings.store, cwd })
    const access = { env, sealer: sealerOf(store, env), places }
    const records = await listAll(accountRecords(store))
    return records.map(({ id, value }) => readStoredAccount(id, value, access))
  })
}
