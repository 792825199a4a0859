/**
 * Calls `late` after a time, once what has arrived by then is handled: where the event loop has stood still, timers
 * run before the answers that wait. Returns the function that cancels it. Does not keep the process alive if `unref`.
 */
export function deadline(
  milliseconds: number,
  late: () => void,
  { unref = false }: { readonly unref?: boolean } = {},
): () => void {
  let turn: NodeJS.Immediate | undefined
  const timer = setTimeout(() => void (turn = setImmediate(late)), milliseconds)
  if (unref) timer.unref()
  return () => {
    clearTimeout(timer)
    clearImmediate(turn)
  }
}
