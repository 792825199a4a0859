import type { Records } from '../../src/stores/store.ts'

/** Reads records, or answers `undefined` where the store cannot tell soon enough. */
export type BoundedRead<T> = (
  names: readonly string[],
) => Promise<readonly (T | undefined)[] | undefined>

/**
 * A preference is not worth waiting for. While an earlier read is overdue the store is not asked at
 * all, so that a store that hangs does not delay every call by as much.
 */
export function readWithin<T>(
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
