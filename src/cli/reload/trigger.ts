import { watchConfiguration } from '../../configuration/watch.ts'

/** Requests reloads of the configuration. */
export interface ReloadTrigger {
  /** Sets the listener, and calls it at once if a request is pending. */
  onReload(listener: () => void): void
  close(): void
}

/**
 * Requests a reload when `file` changes and at SIGHUP. Call it before any slow work: a change before
 * it would go unnoticed, and SIGHUP without a handler ends the process.
 */
export function watchForReload(file: string | undefined): ReloadTrigger {
  if (file === undefined) return { onReload() {}, close() {} }
  let isPending = false
  let onRequest: (() => void) | undefined
  const request = () => {
    if (onRequest) onRequest()
    else isPending = true
  }
  const watch = watchConfiguration(file, request)
  process.on('SIGHUP', request)
  return {
    onReload(listener) {
      onRequest = listener
      if (isPending) listener()
    },
    close() {
      watch.close()
      process.off('SIGHUP', request)
    },
  }
}
