import type { Call } from '../../../src/contract/call.ts'
import type { NamedData } from '../../../src/contract/stored-data.ts'
import { type JsonObject, isObject } from '../../../src/lib/json/object.ts'
import { stringAt } from '../../../src/lib/json/read.ts'

/** Returns the data of earlier replies that a request names (docs/wire/contract.md 4.1). */
export function namedDataOf({
  container,
  thread,
  diagnostics,
  messages,
  system,
}: JsonObject): Pick<Call, 'names'> {
  const names: NamedData[] = []
  if (typeof system === 'object') noteFiles(system, () => 'system', names)
  noteFilesOfMessages(messages, names)
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

function noteFilesOfMessages(messages: unknown, names: NamedData[]): void {
  if (!Array.isArray(messages)) return
  for (let index = 0; index < messages.length; index++) {
    const { content } = Object(messages[index]) as JsonObject
    if (typeof content === 'object') noteFiles(content, () => `messages[${index}].content`, names)
  }
}

/**
 * Notes the files of content. `isReference`: whether the account reads them. The account need not read
 * again the files that code has made, in the object that is the result of a tool of the account.
 */
function noteFiles(
  content: unknown,
  pathOf: () => string,
  names: NamedData[],
  isReference = true,
): void {
  if (!Array.isArray(content)) return noteFilesOf(content, pathOf, names, false)
  for (let index = 0; index < content.length; index++) {
    noteFilesOf(content[index], () => `${pathOf()}[${index}]`, names, isReference)
  }
}

/** Notes the files of a block, or of the source of one, which may have content of its own. */
function noteFilesOf(
  owner: unknown,
  pathOf: () => string,
  names: NamedData[],
  isReference: boolean,
): void {
  const { file_id: id, source, content } = Object(owner) as JsonObject
  if (typeof id === 'string') {
    names.push({ kind: 'file', id, field: `${pathOf()}.file_id`, isReference })
  }
  if (isObject(source)) noteFilesOf(source, () => `${pathOf()}.source`, names, isReference)
  if (typeof content === 'object') {
    noteFiles(content, () => `${pathOf()}.content`, names, isReference)
  }
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
