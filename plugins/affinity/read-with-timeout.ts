import type { Records } from '../../src/stores/store.ts'

/** Reads records; resolves with `undefined` if the store fails or does not answer in time. */
type BoundedRead<T> = (names: readonly string[]) => Promise<readonly (T | undefined)[] | undefined>

/**
 * Limits the duration of reads to `limitMs` milliseconds. While an earlier read is overdue, new reads
 * fail at once, so that a hanging store does not delay every call. Failures go to `onFailure`.
 */
export function readWithTimeout<T>(
  records: Pick<Records<T>, 'getMany'>,
  limitMs: number,
  onFailure: (error: unknown) => void,
): BoundedRead<T> {
  let overdue = 0

  return (names) => {
    if (overdue > 0) {
      onFailure(tooSlow(limitMs))
      return Promise.resolve(undefined)
    }
    return new Promise((resolve) => {
      let late = false
      const timer = setTimeout(() => {
        late = true
        overdue++
        onFailure(tooSlow(limitMs))
        resolve(undefined)
      }, limitMs)
      const end = () => {
        clearTimeout(timer)
        if (late) overdue--
      }
      Promise.try(() => records.getMany(names)).then(
        (found) => {
          end()
          resolve(found)
        },
        (error: unknown) => {
          end()
          if (!late) onFailure(error)
          resolve(undefined)
        },
      )
    })
  }
}

function tooSlow(limitMs: number): Error {
  return new Error(`no answer within ${limitMs} ms`)
}
