import { testAccount } from '../../admin/accounts/test-account.ts'
import type { Account } from '../../contract/account.ts'
import { ConfigurationError } from '../../contract/problems.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { Invocation } from '../command.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { openLocalGateway } from '../local-gateway.ts'
import type { ClockReading } from './clock.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Accounts that are asked at a time. */
const concurrency = 8

/** How long all accounts together may take, in milliseconds; one takes five seconds at most. */
const longestMs = 45_000

/** The answers of the accounts. */
interface AccountsReport {
  readonly findings: readonly Finding[]
  readonly clocks: readonly ClockReading[]
}

/**
 * Makes one free call to each enabled account of the configuration and the store, with its credential. No
 * call names a model or costs anything. `hasStore`: whether the store can be read.
 */
export async function checkAccounts(
  configuration: CommandConfiguration,
  invocation: Invocation,
  hasStore: boolean,
): Promise<AccountsReport> {
  const { settings } = configuration
  const used = hasStore
    ? configuration
    : { ...configuration, settings: { ...settings, store: 'memory:' } }
  try {
    await using gateway = await openLocalGateway(used, invocation)
    return await askAll(gateway.running, configuration.file === undefined)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    const fix = 'correct the configuration first'
    return { findings: [warn('accounts', 'They are not asked.', fix)], clocks: [] }
  }
}

async function askAll(running: RunningGateway, isFirstRun: boolean): Promise<AccountsReport> {
  const { snapshot, storedProblems } = running.accounts
  const findings: Finding[] = [...storedProblems].map(([id, [problem]]) =>
    fail(`account ${id}`, `${problem?.path} ${problem?.message}.`, problem?.fix ?? 'change it'),
  )
  const clocks: ClockReading[] = []
  const found = new Map<Account, Finding>()
  const waiting = [...snapshot.accounts]
  const until = performance.now() + longestMs
  const askNext = async (): Promise<void> => {
    const account = waiting.shift()
    if (!account || performance.now() > until) return
    const name = `account ${account.id}`
    const isStarted = !isFirstRun || account.provider !== 'sandbox'
    const finding = isStarted
      ? await ask(running, account, clocks)
      : ok(name, 'The sandbox starts with the gateway.')
    found.set(account, finding)
    await askNext()
  }
  await Promise.all(Array.from({ length: concurrency }, askNext))
  for (const account of snapshot.accounts)
    findings.push(...(found.has(account) ? [found.get(account)!] : []))
  const missed = snapshot.accounts.length - found.size
  if (missed > 0) {
    const fix = 'look into those above that do not answer, and run this again'
    findings.push(
      fail('accounts', `${missed} accounts are not asked: the others take too long.`, fix),
    )
  }
  return { findings, clocks }
}

async function ask(
  running: RunningGateway,
  account: Account,
  clocks: ClockReading[],
): Promise<Finding> {
  const name = `account ${account.id}`
  if (!account.enabled) return ok(name, 'It is disabled, and not asked.')
  const {
    outcome,
    dialect,
    fix: remedy,
    message = '',
    durationMs,
    hasAnswered,
    time,
  } = await testAccount({ running }, account)
  // A date has whole seconds, and is written before the answer arrives.
  if (time !== undefined)
    clocks.push({ of: name, time: time + 500, at: Date.now(), errorMs: 500 + durationMs })
  if (outcome === 'accepted')
    return ok(name, `It accepts its credential (${dialect}, ${durationMs} ms).`)
  if (outcome === 'refused') {
    if (remedy !== undefined)
      return fail(name, `It cannot be given its credential. ${message}`, remedy)
    const fix = 'give it a valid credential or credit, or disable it'
    return fail(name, `It refuses its credential, or has no credit. ${message}`, fix)
  }
  if (dialect === undefined)
    return warn(name, message, 'call one of its models to see that it works')
  if (hasAnswered) {
    if (remedy !== undefined) return warn(name, message, remedy)
    const fix = 'call one of its models: some credentials may do that and not list models'
    return warn(name, `${message} That says nothing about its credential.`, fix)
  }
  const fix =
    remedy ??
    'check its baseUrl, and the name service, the firewall and the proxies of this machine'
  return fail(name, message, fix)
}
