import { realpathSync, statSync } from 'node:fs'

import { everySeconds } from '../../lib/ticker.ts'

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

/** The time between two looks at the file, in seconds. */
const pollSeconds = 1

/**
 * Calls `onChange` when a file has changed and is stable for one interval. Polls the resolved path:
 * editors replace files, and a mounted config map changes by a symbolic link of a parent directory,
 * which causes no file system event at the path itself.
 */
function watchConfiguration(file: string, onChange: () => void): { close(): void } {
  let known = signatureOf(file)
  let last = known
  const stop = everySeconds(pollSeconds, () => {
    const now = signatureOf(file)
    const isSettled = now === last
    last = now
    // A missing file is probably being replaced.
    if (!isSettled || now === known || now === undefined) return
    known = now
    onChange()
  })
  return { close: stop }
}

function signatureOf(file: string): string | undefined {
  try {
    const path = realpathSync(file)
    const { ino, size, mtimeNs } = statSync(path, { bigint: true })
    return `${path} ${ino} ${size} ${mtimeNs}`
  } catch {
    return undefined
  }
}
