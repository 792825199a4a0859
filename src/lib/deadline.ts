/** A process that is held up for longer than this part of a deadline gets the lost time back, once. */
const heldUpPart = 1 / 4

/**
 * Calls `late` after a time, once all data that has arrived is handled: where the event loop has stood still, timers
 * run before the answers that wait, and before the questions that are still to be sent. Returns the function that
 * cancels it. Does not keep the process alive if `unref`.
 */
export function deadline(
  milliseconds: number,
  late: () => void,
  { unref = false }: { readonly unref?: boolean } = {},
): () => void {
  let turn: NodeJS.Immediate | undefined
  let timer: NodeJS.Timeout

  function wait(ms: number, onTime: (lostMs: number) => void): void {
    const endsAt = performance.now() + ms
    timer = setTimeout(() => onTime(performance.now() - endsAt), ms)
    if (unref) timer.unref()
  }

  const end = () => void (turn = setImmediate(late))
  wait(milliseconds, (lostMs) => {
    if (lostMs < milliseconds * heldUpPart) end()
    else wait(Math.min(lostMs, milliseconds), end)
  })
  return () => {
    clearTimeout(timer)
    clearImmediate(turn)
  }
}

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
