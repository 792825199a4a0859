import { visibleInLine } from '../../lib/visible.ts'
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
