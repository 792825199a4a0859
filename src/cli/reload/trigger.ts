import { watchConfiguration } from '../../configuration/watch.ts'

/** Notices that a configuration is to be read again. */
export interface ReloadTrigger {
  /** Calls back for every such wish, for those that came earlier too. */
  onReload(listener: () => void): void
  close(): void
}

/**
 * A changed file, or SIGHUP. To be called before anything slow: a change would go unseen, and a signal
 * without a handler ends the process.
 */
export function watchForReload(file: string | undefined): ReloadTrigger {
  if (file === undefined) return { onReload() {}, close() {} }
  let wished = false
  let listening: (() => void) | undefined
  const wish = () => {
    if (listening) listening()
    else wished = true
  }
  const watch = watchConfiguration(file, wish)
  process.on('SIGHUP', wish)
  return {
    onReload(listener) {
      listening = listener
      if (wished) listener()
    },
    close() {
      watch.close()
      process.off('SIGHUP', wish)
    },
  }
}
