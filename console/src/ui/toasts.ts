import { createStore } from '../api/store.ts'

/** A line that says what happened. */
export interface Toast {
  readonly id: number
  readonly text: string
  /** The target of the audit entry: `account/openai-eu`. */
  readonly target?: string | undefined
}

/** The lines that are shown now. */
export const toasts = createStore<readonly Toast[]>([])

let last = 0

/** How long a line stays, in milliseconds. */
const shownMs = 12_000

/** Says what happened, in a line at the foot of the page. */
export function say({
  text,
  target,
}: {
  readonly text: string
  readonly target?: string | undefined
}): void {
  last += 1
  const id = last
  toasts.set([...toasts.get().slice(-2), { id, text, target }])
  setTimeout(() => dismiss(id), shownMs)
}

/** Takes a line away. */
export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id))
}
