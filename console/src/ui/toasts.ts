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
  /** What became known of it later. */
  readonly note?: string | undefined
  /** The warnings that it began with. */
  readonly firstWarnings?: readonly string[]
}

/** The lines that are shown now. */
export const toasts = createStore<readonly Toast[]>([])

let last = 0

/** How long a line stays, in milliseconds. */
const shownMs = 12_000

/**
 * Says what happened, in a line at the foot of the page, and returns the number of the line. One with a warning stays
 * until its reader dismisses it.
 */
export function say({ text, target, warnings = [] }: Happened): number {
  last += 1
  const id = last
  const shown = warnings.map((one) => sentence(one.replace(/^input\.\w+: /, '')))
  toasts.set([...toasts.get().slice(-2), { id, text, target, warnings: shown }])
  setTimeout(() => {
    if (toasts.get().some((one) => one.id === id && one.warnings?.length === 0)) dismiss(id)
  }, shownMs)
  return id
}

/** Adds to a line what became known later; `warnings` take the place of those that were added before. */
export function amend(
  id: number,
  { note, warnings }: { readonly note?: string; readonly warnings: readonly string[] },
): void {
  toasts.set(
    toasts.get().map((one) => {
      if (one.id !== id) return one
      const first = one.firstWarnings ?? one.warnings ?? []
      return { ...one, note, firstWarnings: first, warnings: [...first, ...warnings] }
    }),
  )
}

/** Takes a line away. */
export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id))
}
