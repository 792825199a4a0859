import { type DisabledKeys, type KeyView, viewOf } from '../admin/key-view.ts'
import { type ShownToken, showConfigured, showStored } from '../admin/tokens.ts'
import { createCredentialPlaces } from '../configuration/credential-places.ts'
import { readSecretKeys } from '../configuration/secret-keys.ts'
import type { EnvironmentVariables } from '../configuration/secrets.ts'
import { type ReadAccount, readStoredAccount } from '../configuration/stored-accounts.ts'
import { ConfigurationError, type Problem } from '../contract/problems.ts'
import { listStates } from '../stores/operator-states.ts'
import { listAdminTokens } from '../stores/admin-tokens.ts'
import { listAliasNames } from '../stores/aliases.ts'
import { listKeys } from '../stores/keys.ts'
import { listAll } from '../stores/list-all.ts'
import { type Sealer, createSealer } from '../stores/sealing.ts'
import type { Store } from '../stores/store.ts'
import { accountRecords } from '../stores/stored-accounts.ts'
import { listTeamIds } from '../stores/teams.ts'
import type { CommandConfiguration } from './command-configuration.ts'

/** The records of a store that the checks of a configuration read. */
export interface StoredRecords {
  readonly keys: readonly KeyView[]
  /** The keys that operators have disabled, of the configuration and the store. */
  readonly keyStates: DisabledKeys
  readonly tokens: readonly ShownToken[]
  /** As a gateway in this environment reads them; none if the environment has no valid keys to open them. */
  readonly accounts: readonly ReadAccount[]
  /** The ids of the accounts that the store disables. */
  readonly disabled: ReadonlySet<string>
  /** The names of the aliases. */
  readonly aliases: readonly string[]
  /** The ids of the teams. */
  readonly teams: readonly string[]
}

/** The records of a store that is empty, or cannot be read. */
export const noRecords: StoredRecords = {
  keys: [],
  keyStates: { disabled: new Set(), reasonOf: () => undefined },
  tokens: [],
  accounts: [],
  disabled: new Set(),
  aliases: [],
  teams: [],
}

/** The keys of the configuration. */
export function configuredKeys(
  { settings }: CommandConfiguration,
  { keyStates }: StoredRecords,
): KeyView[] {
  return settings.keys.map((key) => viewOf(key, 'FILE', Date.now(), keyStates))
}

/** The admin tokens of the configuration and the environment. */
export function configuredTokens({ settings }: CommandConfiguration): ShownToken[] {
  return (settings.adminTokens ?? []).map((token) => showConfigured(token, Date.now()))
}

/** Reads the records of a store. Rejects with `StoreUnavailable`. */
export async function readRecords(
  store: Store,
  configuration: CommandConfiguration,
  env: EnvironmentVariables,
): Promise<StoredRecords> {
  const now = Date.now()
  const keyStates = await readStates(store, 'key')
  return {
    keys: (await listKeys(store)).map((key) => viewOf(key, 'STORE', now, keyStates)),
    keyStates,
    tokens: (await listAdminTokens(store)).map((token) => showStored(token, now)),
    accounts: await readAccounts(store, configuration, env),
    disabled: (await readStates(store, 'account')).disabled,
    aliases: await listAliasNames(store),
    teams: await listTeamIds(store),
  }
}

async function readStates(
  store: Store,
  of: Parameters<typeof listStates>[1],
): Promise<DisabledKeys> {
  const states = await listStates(store, of)
  const disabled = [...states].filter(([, { enabled }]) => !enabled).map(([id]) => id)
  return { disabled: new Set(disabled), reasonOf: (id) => states.get(id)?.reason }
}

async function readAccounts(
  store: Store,
  { settings, storeBase: cwd }: CommandConfiguration,
  env: EnvironmentVariables,
): Promise<readonly ReadAccount[]> {
  try {
    const places = createCredentialPlaces(settings.credentialPlaces, { store: settings.store, cwd })
    const access = { env, sealer: sealerOf(store, env), places }
    const records = await listAll(accountRecords(store))
    return records.map(({ id, value }) => readStoredAccount(id, value, access))
  } catch (error) {
    // A malformed key is a problem of the configuration already.
    if (error instanceof ConfigurationError) return []
    throw error
  }
}

/** The sealer of a store, as a gateway in this environment has it. Throws `ConfigurationError`. */
export function sealerOf(store: Store, env: EnvironmentVariables): Sealer {
  const problems: Problem[] = []
  const keys = readSecretKeys(env, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  const { ownSecretKey } = store
  return createSealer(keys, ownSecretKey && (() => ownSecretKey.call(store)))
}
