/**
 * The result of `work`. Rejects with `late()` after this number of milliseconds; the later result or
 * failure of the work is ignored.
 */
export function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      settle()
    }
    work.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    )
  })
}
