import { deadline } from './deadline.ts'

/**
 * The result of `work`. Rejects with `late()` after this number of milliseconds; the later result or
 * failure of the work is ignored.
 */
export function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = deadline(milliseconds, () => reject(late()))
    const end = (settle: () => void) => {
      cancel()
      settle()
    }
    work.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    )
  })
}
