import { ConfigurationError, type Problem } from '../contract/problems.ts'
import { type Store, StoreUnavailable } from '../stores/store.ts'
import type { Invocation } from './command.ts'
import { type CommandConfiguration, concernsStore } from './command-configuration.ts'
import { checkAll } from './checks/index.ts'
import { describePlan } from './describe-plan.ts'
import { readOrDeriveConfiguration } from './first-run.ts'
import { addStoredAccounts, idleServices, planGateway } from './plan.ts'
import {
  type StoredRecords,
  configuredKeys,
  configuredTokens,
  noRecords,
  readRecords,
} from './stored-records.ts'
import { mayContainRecords, useStore } from './use-store.ts'

/** `dragoman check`: prints the effective configuration and all of its problems. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const fromFile = await readOrDeriveConfiguration(invocation)
  const { records, problems } = await recordsOf(fromFile, invocation)
  const stored = records ?? noRecords
  const planned = await planGateway(fromFile, idleServices())
  const { configuration, plan } = addStoredAccounts(fromFile, planned, stored.accounts)
  const keys = [...configuredKeys(configuration, stored), ...stored.keys]
  const tokens = [...configuredTokens(configuration), ...stored.tokens]
  const ids = new Set(stored.accounts.map(({ id }) => id))
  const onlyStored = ids.difference(new Set(fromFile.settings.accounts.map(({ id }) => id)))
  const state = { keys, tokens, disabled: stored.disabled, stored: onlyStored }
  terminal.out(describePlan(plan, configuration, state, options['routes'] !== undefined))
  const found = await checkAll(
    {
      configuration,
      plan,
      options,
      env: terminal.env,
      ...(records && {
        accounts: configuration.settings.accounts.length,
        usableKeys: keys.filter(({ state }) => state === 'ACTIVE').length,
      }),
      records: async () => records,
    },
    'check',
  )
  const all = [...plan.problems, ...problems, ...found.problems]
  if (all.length > 0) throw new ConfigurationError(all)
  for (const warning of found.warnings) terminal.say(`Warning: ${warning}.`)
  terminal.say('No problems.')
  return 0
}

/**
 * The records of the store; absent if it cannot be read. A `file:` store must be usable here; a remote store need not
 * be reachable from this machine.
 */
async function recordsOf(
  configuration: CommandConfiguration,
  { terminal }: Invocation,
): Promise<{ readonly records?: StoredRecords; readonly problems: readonly Problem[] }> {
  if (configuration.problems.some(concernsStore)) return { problems: [] }
  if (!mayContainRecords(configuration)) return { records: noRecords, problems: [] }
  try {
    const read = (store: Store) => readRecords(store, configuration, terminal.env)
    return { records: await useStore(configuration, read), problems: [] }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    const { message } = error
    if (configuration.settings.store.startsWith('file:')) {
      const fix = 'repair or move the existing store, or choose another one'
      return { problems: [{ path: 'store', message, fix }] }
    }
    terminal.say(`Only the keys of the configuration are listed: ${message}`)
    terminal.say(
      `Accounts are listed as configured; the store may disable some of them: ${message}`,
    )
    return { problems: [] }
  }
}
