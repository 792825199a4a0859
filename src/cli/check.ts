import { ConfigurationError, type Problem } from '../configuration/problems.ts'
import { StoreUnavailable } from '../stores/store.ts'
import type { Invocation } from './command.ts'
import { storedStates } from './accounts/read.ts'
import { concernsStore, type Configured } from './configured.ts'
import { describePlan } from './describe-plan.ts'
import { readOrImagine } from './first-run.ts'
import { allKeys, configuredKeys, type ListedKey } from './keys/list.ts'
import { idleServices, planGateway } from './plan.ts'

/** `dragoman check`: what a configuration comes to, and everything that is wrong with it. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal } = invocation
  const configured = await readOrImagine(invocation)
  const plan = await planGateway(configured, idleServices())
  const problems = [...plan.problems]
  const keys = await knownKeys(configured, problems, terminal.say)
  const switchedOff = await knownSwitches(configured, problems, terminal.say)
  terminal.out(describePlan(plan, configured, { keys, switchedOff }))
  if (problems.length > 0) throw new ConfigurationError(problems)
  terminal.say('No problems.')
  return 0
}

/** A store on this machine must be usable; a replica's need not be in reach of who checks. */
async function knownKeys(
  configured: Configured,
  problems: Problem[],
  say: (text: string) => void,
): Promise<ListedKey[]> {
  try {
    return problems.some((problem) => concernsStore(problem)) ? [] : await allKeys(configured)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    if (!configured.settings.store.startsWith('file:')) {
      say(`Only the configuration's keys are shown: ${error.message}`)
      return configuredKeys(configured)
    }
    const fix = 'mend or move what is there, or choose another store'
    problems.push({ path: 'store', message: error.message, fix })
    return []
  }
}

/** The accounts that are switched off. */
async function knownSwitches(
  configured: Configured,
  problems: readonly Problem[],
  say: (text: string) => void,
): Promise<ReadonlySet<string>> {
  if (problems.some((problem) => concernsStore(problem))) return new Set()
  try {
    const states = await storedStates(configured)
    return new Set([...states].filter(([, { enabled }]) => !enabled).map(([id]) => id))
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    say(`Accounts are shown as configured; some may be switched off: ${error.message}`)
    return new Set()
  }
}
