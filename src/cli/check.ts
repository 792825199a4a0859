import type { KeyView } from '../admin/key-view.ts'
import type { ShownToken } from '../admin/tokens.ts'
import type { ReadAccount } from '../configuration/stored-accounts.ts'
import { ConfigurationError, type Problem } from '../contract/problems.ts'
import { spoolFault } from '../body/spool/fault.ts'
import { StoreUnavailable } from '../stores/store.ts'
import type { Invocation } from './command.ts'
import { problemsOfPublicAdmin } from './admin-tokens/first-token.ts'
import { type CommandConfiguration, concernsStore } from './command-configuration.ts'
import { clashesWithStore } from './clashes.ts'
import { describePlan } from './describe-plan.ts'
import { readOrDeriveConfiguration } from './first-run.ts'
import { addStoredAccounts, idleServices, planGateway } from './plan.ts'
import { modelPathProblems } from './model-paths.ts'
import { problemsOfPublicAddress } from './require-key.ts'
import {
  allKeys,
  allTokens,
  configuredKeys,
  configuredTokens,
  disabledAccounts,
  storedAccounts,
} from './stored-records.ts'
import { uploadsFault } from './uploads-fault.ts'
import { warningsOf } from './warnings.ts'

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
  problems.push(...plan.problems, ...modelPathProblems(configuration, plan))
  problems.push(...(await spoolProblems(configuration)))
  const uploads = await uploadsFault(configuration)
  if (uploads?.isChosen) problems.push(noUploads(uploads.message))
  const keys = await knownKeys(configuration, problems, terminal.say)
  problems.push(...problemsOfKeys(configuration, keys, invocation))
  const tokens = await knownTokens(configuration, keys)
  if (keys.areAll) {
    problems.push(...problemsOfTokens(configuration, tokens, invocation))
    problems.push(...(await clashesWithStore(configuration, { keys: keys.known, tokens })))
  }
  const disabled = await accountsDisabledInStore(configuration, problems, terminal.say)
  const state = { keys: keys.known, tokens, disabled, stored: onlyStored(fromFile, stored) }
  const withRoutes = invocation.options['routes'] !== undefined
  terminal.out(describePlan(plan, configuration, state, withRoutes))
  if (problems.length > 0) throw new ConfigurationError(problems)
  const findings = {
    keys: keys.areAll ? keys.known : undefined,
    accounts: keys.areAll ? configuration.settings.accounts.length : undefined,
    options: invocation.options,
    uploads,
    env: terminal.env,
  }
  for (const warning of warningsOf(configuration, plan, findings))
    terminal.say(`Warning: ${warning}.`)
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

async function spoolProblems({ settings }: CommandConfiguration): Promise<Problem[]> {
  const message = await spoolFault(settings.spool)
  if (message === undefined) return []
  return [
    { path: 'spool', message, fix: 'name a directory with space that this user may write to' },
  ]
}

function noUploads(message: string): Problem {
  const fix = 'name a directory that this user may write to, or false for none'
  return { path: 'uploads.directory', message, fix }
}

/** `serve` refuses a public address without a key. Without a configuration it issues one itself. */
function problemsOfKeys(
  { settings, file }: CommandConfiguration,
  { known, areAll }: KnownKeys,
  { options }: Invocation,
): Problem[] {
  if (!areAll || file === undefined) return []
  const usable = known.filter(({ state }) => state === 'ACTIVE').length
  return problemsOfPublicAddress(settings, usable, options)
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

/** `serve` refuses a public admin address without a token. */
function problemsOfTokens(
  { settings }: CommandConfiguration,
  tokens: readonly ShownToken[],
  { options }: Invocation,
): Problem[] {
  const stored = tokens.filter(({ origin }) => origin === 'STORE')
  return problemsOfPublicAdmin(settings, stored, options)
}

/** The admin tokens; those of the store only if its keys could be read as well. */
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
