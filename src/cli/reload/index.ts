import { ConfigurationError, type Problem } from '../../contract/problems.ts'
import { type Log, describeError } from '../../lib/log.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { Invocation } from '../command.ts'
import { type Configured, readConfigured } from '../configured.ts'
import { awaitingRestart, changesBetween } from './changes.ts'
import type { Noticing } from './noticing.ts'

export interface Following {
  readonly configured: Configured
  readonly invocation: Invocation
  readonly running: Pick<RunningGateway, 'configure'>
  readonly log: Log
  readonly noticing: Pick<Noticing, 'onWish'>
}

/**
 * Takes the configuration over again when its file changes and at SIGHUP: whole, or not at all.
 * What a running process cannot take over is named in the log, and so is every problem; the
 * configuration in use then stays. Modules that the file imports are not read again.
 */
export function followConfiguration(following: Following): void {
  const { configured, invocation, running, log, noticing } = following
  let { settings } = configured
  let working = Promise.resolve()

  async function reload(): Promise<void> {
    const next = await readConfigured(invocation, 'afresh')
    running.configure(next.settings, next.problems)
    const restart = awaitingRestart(settings, next.settings)
    log.info('configuration reloaded', changesBetween(settings, next.settings))
    if (restart.length > 0)
      log.warn('these settings take effect after a restart', { settings: restart })
    settings = next.settings
  }

  /** One after another: two changes in a row must not overtake each other. */
  function trigger(): void {
    working = working.then(reload).catch((error: unknown) => refuse(log, error))
  }

  noticing.onWish(trigger)
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
