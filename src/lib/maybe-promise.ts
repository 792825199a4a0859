/** A value or a promise of it: most hooks return a value, and a promise each would cost time. */
export type MaybePromise<T> = T | Promise<T>

/** Whether a value is a promise, of any implementation: plugins may use their own. */
export function isThenable<T>(value: T | PromiseLike<T>): value is Promise<T> {
  return typeof (value as PromiseLike<T> | undefined)?.then === 'function'
}
