import { compileSnapshot } from '../../accounts/compile.ts'
import type { Snapshot } from '../../accounts/snapshot.ts'
import { type Problem, ConfigurationError } from '../../configuration/problems.ts'
import { watchConfiguration } from '../../configuration/watch.ts'
import type { Dialect } from '../../dialect.ts'
import { describeError, type Log } from '../../log.ts'
import type { KeyRing } from '../../stores/key-ring.ts'
import type { Invocation } from '../command.ts'
import { type Configured, readConfigured } from '../configured.ts'
import { awaitingRestart, changesBetween } from './changes.ts'

export interface Following {
  readonly configured: Configured
  readonly invocation: Invocation
  readonly dialects: readonly Dialect[]
  readonly snapshot: Snapshot
  readonly keys: Pick<KeyRing, 'configure'>
  readonly log: Log
  /** Exchanges that begin from now on see these accounts. */
  update(snapshot: Snapshot): void
}

/**
 * Takes the configuration over again when its file changes and at SIGHUP: whole, or not at all.
 * What a running process cannot take over is named in the log, and so is every problem; the
 * configuration in use then stays. Modules that the file imports are not read again.
 */
export function followConfiguration(following: Following): { close(): void } {
  const { configured, invocation, dialects, keys, log, update } = following
  const { file } = configured
  if (file === undefined) return { close() {} }
  let { settings } = configured
  let { snapshot } = following
  let working = Promise.resolve()

  async function reload(): Promise<void> {
    const next = await readConfigured(invocation, 'afresh')
    const compiled = compileSnapshot(
      next.settings.accounts,
      next.settings.aliases,
      dialects,
      snapshot,
    )
    const problems = [...next.problems, ...compiled.problems]
    if (problems.length > 0) throw new ConfigurationError(problems)
    snapshot = compiled.snapshot
    update(snapshot)
    keys.configure(next.settings.keys)
    const restart = awaitingRestart(settings, next.settings)
    log.info('the configuration has been taken over', changesBetween(settings, next.settings))
    if (restart.length > 0) log.warn('some settings need another start', { settings: restart })
    settings = next.settings
  }

  /** One after another: two changes in a row must not overtake each other. */
  function trigger(): void {
    working = working.then(reload).catch((error: unknown) => refuse(log, error))
  }

  const watch = watchConfiguration(file, trigger)
  process.on('SIGHUP', trigger)
  return {
    close() {
      watch.close()
      process.off('SIGHUP', trigger)
    },
  }
}

function refuse(log: Log, error: unknown): void {
  const message = 'the changed configuration is not taken over; the one in use stays'
  if (error instanceof ConfigurationError) {
    log.error(message, { problems: error.problems.map(describeProblem) })
  } else log.error(message, describeError(error))
}

function describeProblem({ path, message, fix }: Problem): string {
  return `${path}: ${message} (${fix})`
}
