import { realpathSync, statSync } from 'node:fs'

/** Polling interval in milliseconds. */
const pollMs = 400

/**
 * Calls `onChange` when a file has changed and is stable for one interval. Polls the resolved path:
 * editors replace files, and a mounted config map changes by a symbolic link of a parent directory,
 * which causes no file system event at the path itself.
 */
export function watchConfiguration(file: string, onChange: () => void): { close(): void } {
  let known = signatureOf(file)
  let last = known
  const timer = setInterval(() => {
    const now = signatureOf(file)
    const isSettled = now === last
    last = now
    // A missing file is probably being replaced.
    if (!isSettled || now === known || now === undefined) return
    known = now
    onChange()
  }, pollMs).unref()
  return { close: () => clearInterval(timer) }
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
