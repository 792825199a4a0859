import type { ConfigurationTracker } from '../../configuration/in-use.ts'
import { ConfigurationError, type Problem } from '../../contract/problems.ts'
import { type Log, describeError } from '../../lib/log.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { Invocation } from '../command.ts'
import { type CommandConfiguration, readCommandConfiguration } from '../command-configuration.ts'
import { changesBetween } from './changes.ts'
import type { ReloadTrigger } from './trigger.ts'

/** The options of `reloadOnChange`. */
interface ReloadOptions {
  readonly configuration: CommandConfiguration
  readonly invocation: Invocation
  readonly running: Pick<RunningGateway, 'configure'>
  readonly log: Log
  readonly tracker: Pick<ConfigurationTracker, 'reloaded' | 'refused'>
  readonly reloadTrigger: Pick<ReloadTrigger, 'onReload'>
}

/**
 * Reloads the configuration at SIGHUP and when its file changes. If the new configuration has
 * problems, they are logged and the current one stays in use. Settings that need a restart are
 * logged. Modules that the file imports are not imported again.
 */
export function reloadOnChange(options: ReloadOptions): void {
  const { configuration, invocation, running, log, tracker, reloadTrigger } = options
  let { settings } = configuration
  let pending = Promise.resolve()

  async function reload(): Promise<void> {
    const next = await readCommandConfiguration(invocation, 'afresh')
    running.configure(next.settings, next.problems)
    const restart = tracker.reloaded(next.settings)
    log.info('configuration reloaded', changesBetween(settings, next.settings))
    if (restart.length > 0)
      log.warn('these settings take effect after a restart', { settings: restart })
    settings = next.settings
  }

  /** Reloads run one after another, so that an earlier one cannot overwrite a later one. */
  function trigger(): void {
    pending = pending.then(reload).catch((error: unknown) => {
      tracker.refused(problemsOf(error))
      refuse(log, error)
    })
  }

  reloadTrigger.onReload(trigger)
}

/** Other failures than problems have messages that may repeat a line of the file. */
function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof ConfigurationError) return error.problems
  return [{ path: '', message: 'cannot be read', fix: 'see the log' }]
}

function refuse(log: Log, error: unknown): void {
  const message = 'configuration not reloaded; the current one stays in use'
  if (error instanceof ConfigurationError) {
    log.error(message, { problems: error.problems.map(describeProblem) })
  } else log.error(message, describeError(error))
}

function describeProblem({ path, message, fix }: Problem): string {
  return `${path}: ${message} (${fix})`
}
