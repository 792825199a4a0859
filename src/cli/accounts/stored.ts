import { createCredentialPlaces } from '../../configuration/credential-places.ts'
import { readSecretKeys } from '../../configuration/secret-keys.ts'
import type { EnvironmentVariables } from '../../configuration/secrets.ts'
import { type ReadAccount, readStoredAccount } from '../../configuration/stored-accounts.ts'
import { ConfigurationError, type Problem } from '../../contract/problems.ts'
import { listAll } from '../../stores/list-all.ts'
import { type Sealer, createSealer } from '../../stores/sealing.ts'
import type { Store } from '../../stores/store.ts'
import { accountRecords } from '../../stores/stored-accounts.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { mayContainRecords, useStore } from '../use-store.ts'

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
