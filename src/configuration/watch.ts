import { realpathSync, statSync } from 'node:fs'

/** How often a file is looked at, in milliseconds. */
const pollMs = 400

/**
 * Calls back when a file has changed and has stopped changing. It looks at the file that the path
 * leads to each time: editors put another file in its place, and a mounted config map is swapped by
 * a symbolic link further up, which no file system event at the path itself tells of.
 */
export function watchConfiguration(file: string, onChange: () => void): { close(): void } {
  let known = signatureOf(file)
  let last = known
  const timer = setInterval(() => {
    const now = signatureOf(file)
    const isSettled = now === last
    last = now
    // A file that is gone for a moment is being replaced.
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
