import { type Log, describeError } from '../lib/log.ts'

/** Defects of one minute that are logged, each. */
const mostLogged = 20
const minuteMs = 60_000

/**
 * Logs errors that belong to no call, such as those in the timers of plugins, instead of ending the process
 * and with it the calls of others.
 */
export function surviveDefects(log: Log, debug: boolean): Disposable {
  let since = -Infinity
  let count = 0
  const note = (error: unknown) => {
    const now = performance.now()
    if (now - since > minuteMs) {
      since = now
      count = 0
    }
    if (++count > mostLogged) return
    log.error('an error outside of all calls: the process goes on', describeError(error, debug))
  }
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
  return {
    [Symbol.dispose]() {
      process.off('uncaughtException', note)
      process.off('unhandledRejection', note)
    },
  }
}
