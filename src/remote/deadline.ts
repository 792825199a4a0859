import { abandoned } from './failure.ts'

export interface Deadline extends Disposable {
  readonly signal: AbortSignal
  /** Fires the signal now, unless it has fired. */
  end(reason: unknown): void
}

/**
 * A signal that fires after a time, with an error of the caller's, or when the client leaves. The
 * client's signal is listened to, not combined: signals of some servers are proxies, which
 * `AbortSignal.any` refuses.
 */
export function startDeadline(ms: number, late: () => Error, client?: AbortSignal): Deadline {
  const controller = new AbortController()
  const leave = () => controller.abort(abandoned())
  const timer = setTimeout(() => controller.abort(late()), ms)
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
