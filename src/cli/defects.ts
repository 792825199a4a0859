import { onStrays } from '../configuration/plugins/strays.ts'
import { type Log, describeError } from '../lib/log.ts'
import { scopeName } from '../lib/named-scope.ts'

/** Defects of one minute that are logged, each. */
const mostLogged = 20
const minuteMs = 60_000

/** The errors of a process that belong to no call. */
interface Defects extends Disposable {
  /** All since the start of the process. */
  readonly count: number
}

/**
 * Logs and counts errors that belong to no call, such as those in the timers of plugins, instead of ending the
 * process and with it the calls of others. Only the plugin itself can fail a call whose hook waits for what such
 * an error has prevented: the error may as well come from work that the hook does not wait for.
 */
export function surviveDefects(log: Log, debug: boolean): Defects {
  let since = -Infinity
  let logged = 0
  let count = 0
  let unlogged = 0
  const note = (error: unknown) => {
    count++
    const now = performance.now()
    if (now - since > minuteMs) {
      since = now
      logged = 0
    }
    if (++logged > mostLogged) {
      unlogged++
      return
    }
    const before = unlogged > 0 ? { unlogged } : {}
    unlogged = 0
    const message = 'an error outside of all calls: the process goes on'
    // Of errors in the timers, promises and callbacks of its hooks, tasks and probes.
    const plugin = scopeName()
    log.error(message, {
      ...(plugin !== undefined && { plugin }),
      ...describeError(error, debug),
      ...before,
    })
  }
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
  return {
    get count() {
      return count
    },
    [Symbol.dispose]() {
      process.off('uncaughtException', note)
      process.off('unhandledRejection', note)
    },
  }
}

let isSurviving = false

/**
 * From now on, errors of plugins that belong to no call do not end a command. `surviveDefects` logs them while a
 * gateway serves; before that, and in other commands, they are warnings of the process.
 */
export function catchStrayErrors(): void {
  if (isSurviving) return
  isSurviving = true
  onStrays((error, plugin) => {
    if (plugin === undefined) return false
    const isLogged = process.listenerCount('uncaughtException') > 1
    if (!isLogged)
      process.emitWarning(`the plugin ${plugin}: ${String(describeError(error).error)}`)
    return true
  })
}
