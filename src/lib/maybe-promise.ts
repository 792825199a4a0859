/** What may be there at once: most hooks have nothing to wait for, and a promise each would add up. */
export type MaybePromise<T> = T | Promise<T>

/** Plugins may use promises of any make. */
export function isThenable<T>(value: T | PromiseLike<T>): value is Promise<T> {
  return typeof (value as PromiseLike<T> | undefined)?.then === 'function'
}
