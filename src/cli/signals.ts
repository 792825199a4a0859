/** The signals that ask a server to end. */
export type ShutdownSignal = 'SIGINT' | 'SIGTERM'

const exitCodes = { SIGINT: 130, SIGTERM: 143 }

/** npm hands a Ctrl-C on to a program that has had it from the terminal: two signals, one wish. */
const repeatedSignalMs = 300

/**
 * Resolves with the first signal that asks for an end; a second one ends the process at once. To be
 * called before anything slow: as process 1 of a container, a signal without a handler does nothing.
 */
export function shutdownSignal(): Promise<ShutdownSignal> {
  return new Promise((resolve) => {
    let asked: number | undefined
    const onSignal = (signal: ShutdownSignal) => {
      const now = performance.now()
      asked ??= now
      if (now - asked > repeatedSignalMs) process.exit(exitCodes[signal])
      resolve(signal)
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  })
}
