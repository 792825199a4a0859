import { basename } from 'node:path'

import type { Problem } from '../../contract/problems.ts'
import { ConfigurationError } from '../../contract/problems.ts'
import type { Invocation } from '../command.ts'
import { checkAll } from '../checks/index.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { readOrDeriveConfiguration } from '../first-run.ts'
import { idleServices, planGateway } from '../plan.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const name = 'configuration'

/** The most problems that are listed. */
const mostProblems = 20

/** The findings about the configuration, and the configuration itself. */
interface ConfigurationReport {
  readonly findings: readonly Finding[]
  /** Absent: it cannot be read. */
  readonly configuration?: CommandConfiguration
}

/** Reads and checks the configuration, as `check` does without the store. */
export async function checkConfiguration(invocation: Invocation): Promise<ConfigurationReport> {
  try {
    const configuration = await readOrDeriveConfiguration(invocation)
    const plan = await planGateway(configuration, idleServices())
    const { options, terminal } = invocation
    const checked = {
      configuration,
      plan,
      options,
      env: terminal.env,
      accounts: configuration.settings.accounts.length,
      records: async () => undefined,
    }
    const all = await checkAll(checked, 'doctor')
    const problems = problemFindings([...plan.problems, ...all.problems])
    const warnings = all.warnings.map((text) =>
      warn(name, `${text}.`, 'change the setting, unless it is meant so'),
    )
    const found = [...problems, ...warnings]
    return { configuration, findings: found.length > 0 ? found : [inOrder(configuration)] }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return { findings: problemFindings(error.problems) }
  }
}

function inOrder({ file }: CommandConfiguration): Finding {
  const what = file === undefined ? 'There is no file: a start serves the sandbox' : basename(file)
  return ok(
    name,
    file === undefined ? `${what} and the keys of the environment.` : `${what} is in order.`,
  )
}

function problemFindings(problems: readonly Problem[]): Finding[] {
  const shown = problems
    .slice(0, mostProblems)
    .map(({ path, message, fix }) => fail(name, `${path} ${message}.`, fix))
  const more = problems.length - shown.length
  if (more > 0) shown.push(fail(name, `${more} more problems.`, 'see all with `check`'))
  return shown
}
