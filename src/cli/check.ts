import { ConfigurationError, type Problem } from '../contract/problems.ts'
import { spoolFault } from '../body/spool/fault.ts'
import { StoreUnavailable } from '../stores/store.ts'
import type { Invocation } from './command.ts'
import { storedStates } from './accounts/read.ts'
import { type CommandConfiguration, concernsStore } from './command-configuration.ts'
import { describePlan } from './describe-plan.ts'
import { readOrDeriveConfiguration } from './first-run.ts'
import { type ListedKey, allKeys, configuredKeys } from './keys/list.ts'
import { idleServices, planGateway } from './plan.ts'
import { uploadsFault } from './uploads-fault.ts'
import { warningsOf } from './warnings.ts'

/** `dragoman check`: what a configuration comes to, and everything that is wrong with it. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal } = invocation
  const configuration = await readOrDeriveConfiguration(invocation)
  const plan = await planGateway(configuration, idleServices())
  const problems = [...plan.problems]
  problems.push(...(await spoolProblems(configuration)))
  const uploads = await uploadsFault(configuration)
  if (uploads?.isChosen) problems.push(noUploads(uploads.message))
  const keys = await knownKeys(configuration, problems, terminal.say)
  const switchedOff = await knownSwitches(configuration, problems, terminal.say)
  terminal.out(describePlan(plan, configuration, { keys: keys.known, switchedOff }))
  if (problems.length > 0) throw new ConfigurationError(problems)
  const seen = { keys: keys.areAll ? keys.known : undefined, options: invocation.options, uploads }
  for (const warning of warningsOf(configuration, plan, seen)) terminal.say(`Warning: ${warning}.`)
  terminal.say('No problems.')
  return 0
}

async function spoolProblems({ settings }: CommandConfiguration): Promise<Problem[]> {
  const message = await spoolFault(settings.spool)
  if (message === undefined) return []
  return [{ path: 'spool', message, fix: 'name a directory that this user may write to' }]
}

function noUploads(message: string): Problem {
  const fix = 'name a directory that this user may write to, or false for none'
  return { path: 'uploads.directory', message, fix }
}

interface KnownKeys {
  readonly known: readonly ListedKey[]
  /** False where there may be others, in a store that cannot be asked. */
  readonly areAll: boolean
}

/** A store on this machine must be usable; a replica's need not be in reach of who checks. */
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
      say(`Only the configuration's keys are shown: ${error.message}`)
      return { known: configuredKeys(configuration), areAll: false }
    }
    const fix = 'mend or move what is there, or choose another store'
    problems.push({ path: 'store', message: error.message, fix })
    return noneKnown
  }
}

const noneKnown: KnownKeys = { known: [], areAll: false }

/** The accounts that are switched off. */
async function knownSwitches(
  configuration: CommandConfiguration,
  problems: readonly Problem[],
  say: (text: string) => void,
): Promise<ReadonlySet<string>> {
  if (problems.some((problem) => concernsStore(problem))) return new Set()
  try {
    const states = await storedStates(configuration)
    return new Set([...states].filter(([, { enabled }]) => !enabled).map(([id]) => id))
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    say(`Accounts are shown as configured; some may be switched off: ${error.message}`)
    return new Set()
  }
}
