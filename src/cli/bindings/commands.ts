import { anyKind } from '../../stores/bindings.ts'
import { visibleInLine } from '../../lib/visible.ts'
import { defined } from '../../lib/json/object.ts'
import { CommandError, type Invocation, UsageError } from '../command.ts'
import { requireId, requireReason } from '../operand.ts'
import { limitOf, printList } from '../print-list.ts'
import { doAct, readPages, useAdmin } from '../remote/admin.ts'
import type { AdminClient } from '../remote/answer.ts'
import { quoted } from '../remote/failures.ts'
import { acts, lists, queries } from '../remote/operations.ts'
import { alignColumns } from '../table.ts'
import { bindingRow, bindingTitles, describeAnswer, noneMatch } from './describe.ts'

/** `dragoman bindings list`. */
export function list(invocation: Invocation): Promise<number> {
  const { key: keyId, account: accountId, kind } = invocation.options
  const filter = defined({ keyId, accountId, kind })
  const limit = limitOf(invocation)
  return useAdmin(invocation, {}, (admin) =>
    printList(invocation, readPages(admin, lists.bindings, { filter, limit }), {
      titles: bindingTitles,
      row: bindingRow,
      none: noneMatch('bindings', filter),
    }),
  )
}

/** `dragoman bindings show ID`: the binding, and how calls that name it would be answered. Without `--key` of any key. */
export async function show(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const { key: keyId, kind } = options
  const named = { id: requireId(invocation, 'binding', 'bindings show'), keyId, kind }
  const query = keyId === undefined ? queries.bindingOfAnyKey : queries.binding
  const lookup = await useAdmin(invocation, {}, async (admin) => {
    const variables = { ...named, answers: admin.knowsAccounts }
    return (await admin.request(query, variables)).binding
  })
  if (options['json'] !== undefined) terminal.out(JSON.stringify(lookup))
  const { state, reason, binding, answers = [], otherKeyIds = [] } = lookup
  if (state === 'MISSING') {
    if (options['json'] === undefined && answers.length > 0)
      terminal.out(answers.map(describeAnswer).join('\n'))
    const why = reason === null ? '' : ` ${quoted(reason)}`
    const owner = keyId === undefined ? 'No key' : `The key "${keyId}"`
    throw new CommandError(`${owner} has no binding "${named.id}".${why}`)
  }
  if (!binding) throw new CommandError(`Whether the binding exists is not known: ${quoted(reason)}`)
  if (options['json'] !== undefined) return 0
  const table = alignColumns([bindingTitles, bindingRow(binding)])
  terminal.out([...table, ...answers.map(describeAnswer)].join('\n'))
  for (const other of otherKeyIds)
    terminal.say(`The key "${visibleInLine(other)}" has one of this id too: --key names it.`)
  return 0
}

/** `dragoman bindings forget ID --key ID --reason TEXT`. */
export async function forget(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const named = requireBinding(invocation, 'bindings forget')
  const reason = requireReason(invocation, 'bindings forget')
  const local = { instead: 'ask the running gateway with --url' }
  const kind = await useAdmin(invocation, local, async (admin) => {
    const known = named.kind ?? (await findKind(admin, named))
    // The act itself refuses a missing one, so that the refusal has a record.
    await doAct(admin, acts.forgetBinding, { ...named, kind: known ?? anyKind, reason })
    return known ?? 'binding'
  })
  const { id, keyId } = named
  if (options['json'] !== undefined) terminal.out(JSON.stringify({ id, kind, keyId }))
  terminal.say(`The ${kind} "${id}" of the key "${keyId}" is forgotten. The account keeps its own.`)
  return 0
}

/** The kind of a binding, also of a damaged one; `undefined` if the binding is missing, or the gateway cannot say. */
async function findKind(
  admin: AdminClient,
  { id, keyId }: NamedBinding,
): Promise<string | undefined> {
  const { binding } = await admin.request(queries.bindingKind, { id, keyId })
  const { state, kind } = binding
  return state !== 'MISSING' && typeof kind === 'string' ? kind : undefined
}

/** A binding as a command names it. */
interface NamedBinding {
  readonly id: string
  readonly keyId: string
  /** Absent: each known one is tried. */
  readonly kind: string | undefined
}

/** `--key ID`, the owner of a resource. Throws `UsageError`. */
function requireKey({ options: { key } }: Pick<Invocation, 'options'>): string {
  if (key) return key
  throw new UsageError('Whose? --key ID names the API key that owns it.')
}

/** The binding that `command` is about. Throws `UsageError`. */
function requireBinding(invocation: Invocation, command: string): NamedBinding {
  return {
    id: requireId(invocation, 'binding', command),
    keyId: requireKey(invocation),
    kind: invocation.options['kind'],
  }
}
