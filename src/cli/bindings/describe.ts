import { nearest } from '../../lib/nearest.ts'
import { visibleInLine } from '../../lib/visible.ts'
import { knownKinds } from '../../stores/bindings.ts'
import { quoted } from '../remote/failures.ts'
import type { BindingAnswerNode, BindingNode } from '../remote/nodes.ts'

/** The columns of a table of bindings. */
export const bindingTitles = ['ID', 'KIND', 'KEY', 'ACCOUNT', 'MODEL', 'CHAIN UNTIL', 'EXPIRES']

/** The store has only a hash of an unusual text. */
const hashed = '(hashed)'

/** The row of a binding. */
export function bindingRow(one: BindingNode): string[] {
  const { id, kind, keyId, accountId, model, chainUntil, expiresAt } = one
  return [
    id ?? hashed,
    kind ?? hashed,
    keyId ?? hashed,
    accountId ?? 'the gateway',
    model ?? '',
    chainUntil ?? '',
    expiresAt,
  ]
}

const uses = { CHAIN: 'continues', READ: 'reads', NAME: 'names' } as const

/** How a call that refers to the resource would be answered, in a sentence. */
export function describeAnswer(answer: BindingAnswerNode): string {
  const { use, dialect, status, code, message, accountId } = answer
  const call = `A call in ${visibleInLine(dialect)} that ${uses[use]} it`
  if (code !== null) return `${call} gets ${status} ${code}: ${visibleInLine(message ?? '')}`
  return `${call} goes to ${accountId === null ? "the gateway's store" : `the account "${visibleInLine(accountId)}"`}.`
}

/** The filter of a list of records that belong to keys and accounts. */
interface RecordFilter {
  readonly keyId?: string | undefined
  readonly accountId?: string | undefined
  readonly kind?: string | undefined
}

/** The message of an empty list of records. An id that no key or account has is no mistake: records outlive both. */
export function noneMatch(noun: string, { keyId, accountId, kind }: RecordFilter): string {
  const isOdd = kind !== undefined && !knownKinds.some((one) => one === kind)
  return [
    `No ${noun} match.`,
    ...(isOdd ? [oddKind(kind)] : []),
    ...(keyId === undefined ? [] : ['`keys list` shows the ids of keys.']),
    ...(accountId === undefined ? [] : ['`accounts list` shows the ids of accounts.']),
  ].join(' ')
}

function oddKind(kind: string): string {
  const near = nearest(kind, new Set<string>(knownKinds))
  const meant = near === undefined ? '' : ` Did you mean \`${near}\`?`
  return `The kinds of the gateway are ${knownKinds.join(', ')}, not "${quoted(kind)}"; plugins may have others.${meant}`
}
