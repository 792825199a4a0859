import { GraphQLError } from 'graphql/error'

import type { Principal } from './principal.ts'

/** The dry runs of one token or user at the same time; the dry runs of all principals share the process. */
const mostOfOne = 4

/** The operation that asks for dry runs: the same object in all of its fields. */
interface Asking {
  readonly principal: Principal
  /** Aborts when the operation is over. */
  readonly signal?: AbortSignal
  /** Resolves when the last dry run in turn has ended. Absent: there was none. */
  lastDryRun?: Promise<unknown>
}

/** The dry runs of this process, in shares of tokens and users. */
export interface DryRuns {
  /**
   * Runs `work`, whose dry runs run one after another. Rejects with `GraphQLError` if the token or
   * user has four such works already, or if a dry run does not end in time.
   */
  run<T>(context: Asking, work: () => Promise<T>): Promise<T>
  /** As `run`, for the works of one operation: they run one after another, and count as one work. */
  runInTurn<T>(context: Asking, work: () => Promise<T>): Promise<T>
}

/** Creates the shares of dry runs. */
export function createDryRuns(): DryRuns {
  const running = new Map<string, number>()

  async function run<T>({ principal: { id } }: Asking, work: () => Promise<T>): Promise<T> {
    const count = running.get(id) ?? 0
    if (count >= mostOfOne) throw tooMany()
    running.set(id, count + 1)
    try {
      return await work()
    } catch (error) {
      throw inTime(error)
    } finally {
      const left = (running.get(id) ?? 1) - 1
      if (left > 0) running.set(id, left)
      else running.delete(id)
    }
  }

  return {
    run,
    runInTurn(context, work) {
      const before = context.lastDryRun ?? Promise.resolve()
      const result = before.then(() => {
        context.signal?.throwIfAborted()
        return run(context, work)
      })
      context.lastDryRun = result.catch(() => {})
      return result
    },
  }
}

function tooMany(): GraphQLError {
  return new GraphQLError(
    `At most ${mostOfOne} dry runs of a token run at once. Try again shortly.`,
    { extensions: { code: 'TOO_MANY_REQUESTS' } },
  )
}

/** The dry run took too long, or others did. */
function inTime(error: unknown): unknown {
  if (!(error instanceof DOMException) || error.name !== 'TimeoutError') return error
  return new GraphQLError('The dry run did not end in time. Try again shortly.', {
    extensions: { code: 'TOO_SLOW' },
  })
}
