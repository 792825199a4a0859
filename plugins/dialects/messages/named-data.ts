import type { Call } from '../../../src/contract/call.ts'
import type { NamedData } from '../../../src/contract/stored-data.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { stringAt } from '../../../src/lib/json/read.ts'

/** Returns the data of earlier replies that a request names (docs/wire/contract.md 4.1). */
export function namedDataOf({ container, thread, diagnostics }: JsonObject): Pick<Call, 'names'> {
  if ((container ?? thread ?? diagnostics ?? undefined) === undefined) return nothing
  const names: NamedData[] = []
  noteContainer(container, names)
  noteMessage('thread', thread, true, names)
  // The account's reply says how this request differs from the one of the named message.
  noteMessage('diagnostics', diagnostics, false, names)
  return names.length > 0 ? { names } : nothing
}

const nothing: Pick<Call, 'names'> = {}

/**
 * The account keeps the messages of a thread, and the requests with diagnostics to compare later ones with,
 * by the id of the reply.
 */
export function replyNamed({ thread, diagnostics }: JsonObject): Pick<Call, 'replyNamedAs'> {
  return thread || diagnostics ? { replyNamedAs: 'message' } : {}
}

/** Notes the container of earlier code that the request goes on with. */
function noteContainer(container: unknown, names: NamedData[]): void {
  const isId = typeof container === 'string'
  const id = isId ? container : container ? stringAt(container, 'id') : undefined
  if (id === undefined) return
  const field = isId ? 'container' : 'container.id'
  names.push({ kind: 'container', id, field, isReference: true })
}

function noteMessage(
  member: 'thread' | 'diagnostics',
  value: unknown,
  isReference: boolean,
  names: NamedData[],
): void {
  const id = stringAt(value, 'previous_message_id')
  const field = `${member}.previous_message_id`
  if (id !== undefined) names.push({ kind: 'message', id, field, isReference })
}
