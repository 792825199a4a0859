import { ConfigurationError, type Problem } from '../configuration/problems.ts'
import { StoreUnavailable } from '../stores/store.ts'
import type { Invocation } from './command.ts'
import { concernsStore, readConfigured, type Configured } from './configured.ts'
import { describePlan } from './describe-plan.ts'
import { withoutConfiguration } from './first-run.ts'
import { allKeys, type ListedKey } from './keys/list.ts'
import { idleServices, planGateway } from './plan.ts'

/** `dragoman check`: what a configuration comes to, and everything that is wrong with it. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal } = invocation
  const configured = await readOrImagine(invocation)
  const plan = await planGateway(configured, idleServices())
  const problems = [...plan.problems]
  terminal.out(describePlan(plan, configured, await knownKeys(configured, problems)))
  if (problems.length > 0) throw new ConfigurationError(problems)
  terminal.say('No problems.')
  return 0
}

async function knownKeys(configured: Configured, problems: Problem[]): Promise<ListedKey[]> {
  try {
    return problems.some((problem) => concernsStore(problem)) ? [] : await allKeys(configured)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    const fix = 'mend or move what is there, or choose another store'
    problems.push({ path: 'store', message: error.message, fix })
    return []
  }
}

/** Without a configuration, what `serve` would work with; its sandbox has no address yet. */
async function readOrImagine(invocation: Invocation): Promise<Configured> {
  const configured = await readConfigured(invocation)
  if (configured.file !== undefined || configured.problems.length > 0) return configured
  return withoutConfiguration(configured, invocation, 'http://127.0.0.1:0')
}
