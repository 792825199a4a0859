import { scopeName } from '../../lib/named-scope.ts'

/**
 * Runs work, and collects the errors of its scope that belong to no call: a rejected promise that no code awaits,
 * an error in a timer. Other errors stay what they are.
 */
export async function collectStrays<T>(
  scope: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly strays: readonly unknown[] }> {
  const strays: unknown[] = []
  using _ = onStrays((error, name) => {
    if (name !== scope) return false
    strays.push(error)
    return true
  })
  const result = await work()
  // Rejections are reported after the promises of this turn.
  await new Promise((resolve) => setImmediate(resolve))
  return { result, strays }
}

/**
 * Passes each error that belongs to no call to `take`, with the name of its scope. One that `take` leaves ends the
 * process as it does without this, unless somewhere else handles it.
 */
export function onStrays(take: (error: unknown, scope: string | undefined) => boolean): Disposable {
  const handle = (event: 'uncaughtException' | 'unhandledRejection') => (error: unknown) => {
    if (take(error, scopeName()) || process.listenerCount(event) > 1) return
    console.error(error)
    process.exit(1)
  }
  const [onException, onRejection] = [handle('uncaughtException'), handle('unhandledRejection')]
  process.on('uncaughtException', onException)
  process.on('unhandledRejection', onRejection)
  return {
    [Symbol.dispose]() {
      process.off('uncaughtException', onException)
      process.off('unhandledRejection', onRejection)
    },
  }
}
