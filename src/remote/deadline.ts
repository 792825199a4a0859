import { clientClosed } from './failure.ts'

/** A deadline. Disposing of it stops the timer. */
interface Deadline extends Disposable {
  readonly signal: AbortSignal
  /** Aborts the signal now, unless it is aborted already. */
  end(reason: unknown): void
}

/**
 * Starts a deadline whose signal aborts after `ms` milliseconds with `timeoutError()`, or when the
 * client leaves. It listens to the client's signal in place of `AbortSignal.any`, which refuses the
 * proxied signals of some servers.
 */
export function startDeadline(
  ms: number,
  timeoutError: () => Error,
  client?: AbortSignal,
): Deadline {
  const controller = new AbortController()
  const leave = () => controller.abort(clientClosed())
  const timer = setTimeout(() => controller.abort(timeoutError()), ms)
  if (client?.aborted) leave()
  client?.addEventListener('abort', leave, { once: true })
  return {
    signal: controller.signal,
    end: (reason) => controller.abort(reason),
    [Symbol.dispose]() {
      clearTimeout(timer)
      client?.removeEventListener('abort', leave)
    },
  }
}
