import { basename, dirname, isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { ConfigurationTracker } from '../../configuration/in-use.ts'
import { fileError } from '../../configuration/discover.ts'
import { ConfigurationError, type Problem } from '../../contract/problems.ts'
import { type Log, describeError } from '../../lib/log.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { AuditLog } from '../../audit/log.ts'
import type { Invocation } from '../command.ts'
import { type CommandConfiguration, readCommandConfiguration } from '../command-configuration.ts'
import { recordReloads } from './record.ts'
import { changesBetween } from './changes.ts'
import type { ReloadTrigger } from './trigger.ts'

/** The options of `reloadOnChange`. */
interface ReloadOptions {
  readonly configuration: CommandConfiguration
  readonly invocation: Invocation
  readonly running: Pick<RunningGateway, 'prepare' | 'configure' | 'check'>
  readonly log: Log
  readonly tracker: Pick<ConfigurationTracker, 'prepare' | 'reloaded' | 'refused'>
  readonly reloadTrigger: Pick<ReloadTrigger, 'onReload'>
  /** The audit log. Absent: another process records the reload. */
  readonly auditOf?: (() => Promise<Pick<AuditLog, 'begin'>>) | undefined
}

/** The reload of a running process. A process without a file has nothing to read. */
interface Reloading {
  /** Reads the file again and returns its problems, for which the reload is refused; nothing changes. */
  check?(): Promise<readonly Problem[]>
  /**
   * Reads the file again and uses it. Returns its problems; with any, nothing changes. The act that commands
   * it has the audit record.
   */
  reload?(): Promise<readonly Problem[]>
}

/**
 * Reloads the configuration at SIGHUP and when its file changes. If the new configuration has
 * problems, they are logged and the current one stays in use. Settings that need a restart are
 * logged. Modules that the file imports are not imported again.
 */
export function reloadOnChange(options: ReloadOptions): Reloading {
  const { file } = options.configuration
  return file === undefined ? {} : reloadFile(file, options)
}

function reloadFile(
  file: string,
  { configuration, invocation, running, log, tracker, reloadTrigger, auditOf }: ReloadOptions,
): Reloading {
  let { settings } = configuration
  const record = auditOf && recordReloads(auditOf, file, log)

  async function replaceRecorded(): Promise<void> {
    const end = await record?.()
    try {
      const after = await replaceSettings()
      await end?.({ result: 'DONE', after })
    } catch (error) {
      await end?.({ result: 'FAILED', message: pathsOf(error, file) })
      throw error
    }
  }

  async function readAgain(): Promise<CommandConfiguration> {
    const next = await readCommandConfiguration(invocation, 'afresh')
    // For a start, no file means no settings; here it may be one that is being replaced.
    if (next.file === undefined) throw missing(file)
    return next
  }

  async function replaceSettings() {
    const next = await readAgain()
    // Settings with problems take no effect.
    if (next.problems.length === 0) await tracker.prepare(next.settings)
    await running.prepare(next.settings)
    running.configure(next.settings, next.problems)
    const restart = tracker.reloaded(next.settings)
    const changes = changesBetween(settings, next.settings)
    log.info('configuration reloaded', changes)
    if (restart.length > 0)
      log.warn('these settings take effect after a restart', { settings: restart })
    settings = next.settings
    return changes
  }

  async function checkSettings(): Promise<void> {
    const next = await readAgain()
    await running.prepare(next.settings)
    running.check(next.settings, next.problems)
  }

  /** The problems of a reload, or of its check. */
  async function problemsIn(work: () => Promise<unknown>): Promise<readonly Problem[]> {
    try {
      await work()
      return []
    } catch (error) {
      const problems = problemsOf(error, file)
      tracker.refused(problems)
      logReloadError(log, error)
      return problems
    }
  }

  // All of them have the plugins of the last reading.
  const line = new Line()
  const reloadRecorded = line.add(() => problemsIn(replaceRecorded))
  reloadTrigger.onReload(() => void reloadRecorded())
  return {
    check: line.add(() => problemsIn(checkSettings)),
    reload: line.add(() => problemsIn(replaceSettings)),
  }
}

function missing(file: string): ConfigurationError {
  return fileError(file, 'no such file', 'put it back; without one, a start has no settings')
}

/** Other failures than problems have messages that may repeat a line of the file. */
function problemsOf(error: unknown, file: string): readonly Problem[] {
  if (error instanceof ConfigurationError) return withoutDirectory(error.problems, file)
  return [{ path: '', message: 'cannot be read', fix: 'see the log' }]
}

/** The paths alone: a problem of a value may quote it. */
function pathsOf(error: unknown, file: string): string {
  if (!(error instanceof ConfigurationError)) return 'The configuration cannot be read.'
  return `Problems of ${withoutDirectory(error.problems, file)
    .map(({ path }) => path)
    .join(', ')}.`
}

function logReloadError(log: Log, error: unknown): void {
  const message = 'configuration not reloaded; the current one stays in use'
  if (error instanceof ConfigurationError) {
    log.error(message, { problems: error.problems.map(describeProblem) })
  } else log.error(message, describeError(error))
}

function describeProblem({ path, message, fix }: Problem): string {
  return `${path}: ${message} (${fix})`
}

/**
 * Problems without the directory of the configuration file, for operators of other machines and the audit log:
 * the log of the process has whole paths.
 */
function withoutDirectory(
  problems: readonly Problem[],
  file: string | undefined,
): readonly Problem[] {
  if (file === undefined) return problems
  const directory = dirname(file)
  const parts = [`${pathToFileURL(directory).href}/`, `${directory}/`]
  // The root is a part of every path and address.
  const cut = (text: string) =>
    directory === '/' ? text : parts.reduce((left, part) => left.replaceAll(part, ''), text)
  return problems.map((one) => {
    const path = cut(one.path)
    return {
      ...one,
      // A file that the configuration imports may lie elsewhere.
      path: isAbsolute(path) ? basename(path) : path,
      message: cut(one.message),
      fix: cut(one.fix),
    }
  })
}

/** Runs checks and reloads one after another, so that an earlier reload cannot overwrite a later one. */
export class Line {
  #last: Promise<unknown> = Promise.resolve()

  /**
   * Returns a function that runs `work` once every earlier run of this line has ended. Calls before that run begins
   * share it and its result: a hundred signals make two runs.
   */
  add<Result>(work: () => Promise<Result>): () => Promise<Result> {
    let waiting: Promise<Result> | undefined
    const begin = () => {
      waiting = undefined
      return work()
    }
    return () => {
      if (waiting) return waiting
      const run = this.#last.then(begin)
      this.#last = run.catch(() => {})
      waiting = run
      return run
    }
  }
}
