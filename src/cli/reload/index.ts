import { ConfigurationError, type Problem } from '../../contract/problems.ts'
import { type Log, describeError } from '../../lib/log.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { Invocation } from '../command.ts'
import { type CommandConfiguration, readCommandConfiguration } from '../command-configuration.ts'
import { settingsNeedingRestart, changesBetween } from './changes.ts'
import type { ReloadTrigger } from './trigger.ts'

export interface ReloadOptions {
  readonly configuration: CommandConfiguration
  readonly invocation: Invocation
  readonly running: Pick<RunningGateway, 'configure'>
  readonly log: Log
  readonly reloadTrigger: Pick<ReloadTrigger, 'onReload'>
}

/**
 * Takes the configuration over again when its file changes and at SIGHUP: whole, or not at all.
 * What a running process cannot take over is named in the log, and so is every problem; the
 * configuration in use then stays. Modules that the file imports are not read again.
 */
export function reloadOnChange(following: ReloadOptions): void {
  const { configuration, invocation, running, log, reloadTrigger } = following
  let { settings } = configuration
  let working = Promise.resolve()

  async function reload(): Promise<void> {
    const next = await readCommandConfiguration(invocation, 'afresh')
    running.configure(next.settings, next.problems)
    const restart = settingsNeedingRestart(settings, next.settings)
    log.info('configuration reloaded', changesBetween(settings, next.settings))
    if (restart.length > 0)
      log.warn('these settings take effect after a restart', { settings: restart })
    settings = next.settings
  }

  /** One after another: two changes in a row must not overtake each other. */
  function trigger(): void {
    working = working.then(reload).catch((error: unknown) => refuse(log, error))
  }

  reloadTrigger.onReload(trigger)
}

function refuse(log: Log, error: unknown): void {
  const message = 'configuration not reloaded; the one in use stays'
  if (error instanceof ConfigurationError) {
    log.error(message, { problems: error.problems.map(describeProblem) })
  } else log.error(message, describeError(error))
}

function describeProblem({ path, message, fix }: Problem): string {
  return `${path}: ${message} (${fix})`
}
