import { AsyncLocalStorage } from 'node:async_hooks'

const names = new AsyncLocalStorage<string>()

/**
 * Runs work under a name, which its timers, promises and callbacks inherit: an error that belongs to no call can
 * then be traced to whose it is.
 */
export function inScope<R>(name: string, work: () => R): R {
  return names.run(name, work)
}

/** Runs work that the code of a scope calls and that is not part of it. */
export function outOfScope<R>(work: () => R): R {
  return names.exit(work)
}

/** The name of the present scope; in a handler of uncaught errors, of the scope that they come from. */
export function scopeName(): string | undefined {
  return names.getStore()
}
