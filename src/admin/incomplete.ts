import type { GraphQLResolveInfo } from 'graphql'

/** A part that the answer of an operation lacks: an entry of `extensions.incomplete`. */
export interface Incomplete {
  /** The field of the operation, by its name in the answer. */
  readonly field: string
  /** For people. */
  readonly reason: string
}

/** The part of `AdminContext` that collects them. */
interface Noting {
  readonly incomplete: Incomplete[]
}

/** A list of the store that could not be read again. */
const lastKnown = 'The store does not answer: the field shows the values that were known last.'

/** Notes that a field shows the values that were known last, since the store does not answer. */
export function noteStale(context: Noting, field: string | Pick<GraphQLResolveInfo, 'path'>): void {
  note(context, nameOf(field), lastKnown)
}

/** Whether a field of an operation shows values that were known last. */
export function isStale({ incomplete }: Noting): boolean {
  return incomplete.some(({ reason }) => reason === lastKnown)
}

/** Notes the processes whose part a field lacks, or in which an act is not done. */
export function noteMissingProcesses(
  context: Noting,
  field: string | Pick<GraphQLResolveInfo, 'path'>,
  ids: Iterable<string>,
): void {
  const all = [...new Set(ids)].toSorted()
  if (all.length === 0) return
  const known = all.filter((id) => id !== 'unknown')
  const count = known.length === 1 ? '1 process' : `${known.length} processes`
  const reason =
    known.length === 0
      ? 'Other processes are not known: the store does not answer.'
      : `${count} did not answer in full: ${known.join(', ')}.`
  note(context, nameOf(field), reason)
}

/** Notes that a list has the first of its items only. */
export function noteOmitted(
  context: Noting,
  field: Pick<GraphQLResolveInfo, 'path'>,
  { shown, omitted }: { readonly shown: number; readonly omitted: number },
): void {
  if (omitted === 0) return
  note(context, nameOf(field), `The field shows ${shown} of ${shown + omitted}: the oldest.`)
}

/** Notes that the result of an act is not in the audit log. */
export function noteUnrecorded(context: Noting, act: string): void {
  note(context, act, 'The audit log lacks the result of this act.')
}

/** Adds an entry once. */
function note({ incomplete }: Noting, field: string, reason: string): void {
  const isKnown = incomplete.some((one) => one.field === field && one.reason === reason)
  if (!isKnown) incomplete.push({ field, reason })
}

/** The name of the root field that a field is below. */
function nameOf(field: string | Pick<GraphQLResolveInfo, 'path'>): string {
  if (typeof field === 'string') return field
  let root = field.path
  while (root.prev) root = root.prev
  return String(root.key)
}
