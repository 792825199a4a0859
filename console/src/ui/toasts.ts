import { createStore } from '../api/store.ts'
import { sentence } from '../format/words.ts'

/** What happened. */
export interface Happened {
  readonly text: string
  /** The target of the audit entry: `account/openai-eu`. */
  readonly target?: string | undefined
  /** The warnings of the API about the input: `input.kind: no price for "m"`. */
  readonly warnings?: readonly string[]
}

/** A line that says what happened. */
export interface Toast extends Happened {
  readonly id: number
}

/** The lines that are shown now. */
export const toasts = createStore<readonly Toast[]>([])

let last = 0

/** How long a line stays, in milliseconds. */
const shownMs = 12_000

/** Says what happened, in a line at the foot of the page. One with a warning stays until its reader dismisses it. */
export function say({ text, target, warnings = [] }: Happened): void {
  last += 1
  const id = last
  const shown = warnings.map((one) => sentence(one.replace(/^input\.\w+: /, '')))
  toasts.set([...toasts.get().slice(-2), { id, text, target, warnings: shown }])
  if (shown.length === 0) setTimeout(() => dismiss(id), shownMs)
}

/** Takes a line away. */
export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id))
}
