/** The signals that shut a server down. */
export type ShutdownSignal = 'SIGINT' | 'SIGTERM'

const exitCodes = { SIGINT: 130, SIGTERM: 143 }

/**
 * npm forwards a Ctrl-C that the terminal has already sent to the program: two signals within this
 * time count as one. Milliseconds.
 */
const repeatedSignalMs = 300

/**
 * Resolves with the first shutdown signal; a second one ends the process at once. Call it before any
 * slow work: in process 1 of a container, a signal without a handler has no effect.
 */
export function shutdownSignal(): Promise<ShutdownSignal> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const onSignal = (signal: ShutdownSignal) => {
      const now = performance.now()
      firstAt ??= now
      if (now - firstAt > repeatedSignalMs) process.exit(exitCodes[signal])
      resolve(signal)
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  })
}
