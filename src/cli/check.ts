import type { KeyView } from '../admin/key-view.ts'
import type { ShownToken } from '../admin/tokens.ts'
import type { ReadAccount } from '../configuration/stored-accounts.ts'
import { ConfigurationError, type Problem } from '../contract/problems.ts'
import { StoreUnavailable } from '../stores/store.ts'
import type { Invocation } from './command.ts'
import { type CommandConfiguration, concernsStore } from './command-configuration.ts'
import { checkAll } from './checks/index.ts'
import { describePlan } from './describe-plan.ts'
import { readOrDeriveConfiguration } from './first-run.ts'
import { addStoredAccounts, idleServices, planGateway } from './plan.ts'
import {
  allKeys,
  allTokens,
  configuredKeys,
  configuredTokens,
  disabledAccounts,
  storedAccounts,
} from './stored-records.ts'

/** `dragoman check`: prints the effective configuration and all of its problems. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal } = invocation
  const fromFile = await readOrDeriveConfiguration(invocation)
  const problems: Problem[] = []
  const stored = await accountsInStore(fromFile, invocation)
  const { configuration, plan } = addStoredAccounts(
    fromFile,
    await planGateway(fromFile, idleServices()),
    stored,
  )
  problems.push(...plan.problems)
  const keys = await knownKeys(configuration, problems, terminal.say)
  const tokens = await knownTokens(configuration, keys)
  const disabled = await accountsDisabledInStore(configuration, problems, terminal.say)
  const state = { keys: keys.known, tokens, disabled, stored: onlyStored(fromFile, stored) }
  const withRoutes = invocation.options['routes'] !== undefined
  terminal.out(describePlan(plan, configuration, state, withRoutes))
  const found = await checkAll(
    {
      configuration,
      plan,
      options: invocation.options,
      env: terminal.env,
      accounts: keys.areAll ? configuration.settings.accounts.length : undefined,
      usableKeys: keys.areAll
        ? keys.known.filter(({ state }) => state === 'ACTIVE').length
        : undefined,
      keys: async () => (keys.areAll ? keys.known : undefined),
      tokens: async () => (keys.areAll ? tokens : undefined),
    },
    'check',
  )
  problems.push(...found.problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  for (const warning of found.warnings) terminal.say(`Warning: ${warning}.`)
  terminal.say('No problems.')
  return 0
}

function onlyStored(
  { settings }: CommandConfiguration,
  accounts: readonly ReadAccount[],
): ReadonlySet<string> {
  const configured = new Set(settings.accounts.map(({ id }) => id))
  return new Set(accounts.map(({ id }) => id)).difference(configured)
}

interface KnownKeys {
  readonly known: readonly KeyView[]
  /** False if the store, which may contain further keys, is unavailable. */
  readonly areAll: boolean
}

/** A `file:` store must be usable here; a remote store need not be reachable from this machine. */
async function knownKeys(
  configuration: CommandConfiguration,
  problems: Problem[],
  say: (text: string) => void,
): Promise<KnownKeys> {
  try {
    if (problems.some((problem) => concernsStore(problem))) return noneKnown
    return { known: await allKeys(configuration), areAll: true }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    if (!configuration.settings.store.startsWith('file:')) {
      say(`Only the keys of the configuration are listed: ${error.message}`)
      return { known: configuredKeys(configuration), areAll: false }
    }
    const fix = 'repair or move the existing store, or choose another one'
    problems.push({ path: 'store', message: error.message, fix })
    return noneKnown
  }
}

const noneKnown: KnownKeys = { known: [], areAll: false }

/** The admin tokens; the store's tokens only if its keys could be read as well. */
async function knownTokens(
  configuration: CommandConfiguration,
  { areAll }: KnownKeys,
): Promise<readonly ShownToken[]> {
  return areAll ? await allTokens(configuration) : configuredTokens(configuration)
}

/** The accounts of the store; none if it is unavailable, which is said elsewhere. */
async function accountsInStore(
  configuration: CommandConfiguration,
  { terminal }: Invocation,
): Promise<readonly ReadAccount[]> {
  if (configuration.problems.some((problem) => concernsStore(problem))) return []
  try {
    return await storedAccounts(configuration, terminal.env)
  } catch (error) {
    // A malformed key is a problem of the configuration already.
    if (error instanceof StoreUnavailable || error instanceof ConfigurationError) return []
    throw error
  }
}

/** The ids of the accounts that the store disables; empty if the store is unavailable. */
async function accountsDisabledInStore(
  configuration: CommandConfiguration,
  problems: readonly Problem[],
  say: (text: string) => void,
): Promise<ReadonlySet<string>> {
  if (problems.some((problem) => concernsStore(problem))) return new Set()
  try {
    return await disabledAccounts(configuration)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    say(`Accounts are listed as configured; the store may disable some of them: ${error.message}`)
    return new Set()
  }
}
