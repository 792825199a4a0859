import { wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { ToolResult, UserPart } from '../../../../../src/generate/content.ts'
import type { Turn } from '../../../../../src/generate/request.ts'
import { stringAt } from '../../../../../src/lib/json/read.ts'
import { textMember } from '../../../../../src/kit/codec/read.ts'
import { readMessage } from './decode-messages.ts'
import { readContent } from './decode-parts.ts'
import { toolNameOf } from './decode-tools.ts'
import { imageOf } from '../images.ts'
import { flatName } from '../namespaces.ts'
import { noteMembers } from './members.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import { noteStrayResult } from '../../../../../src/generate/match-results.ts'
import { type DecodeContext, TurnList } from './turn-list.ts'
import { reasoningParts } from '../reasoning.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'

type ItemReader = (item: JsonObject, path: string, context: DecodeContext) => void

const readers = new TextMap<ItemReader>([
  ['message', readMessage],
  ['reasoning', readReasoning],
  ['function_call', readFunctionCall],
  ['custom_tool_call', readCustomCall],
  ['function_call_output', readOutput],
  ['custom_tool_call_output', readOutput],
  ['image_generation_call', readImageCall],
  // `readTools` reads the tools of these items.
  [
    'additional_tools',
    (item, path, { notes }) => noteMembers('additionalTools', item, path, notes),
  ],
])

/**
 * Returns the turns of a request's input, a string or items. The first `before` items are stored
 * history, so notes do not name their index.
 */
export function readTurns(input: unknown, notes: Notes, before = 0): Turn[] {
  notes.sets('conversation', 'input')
  const turns = new TurnList()
  const results = new Map<ToolResult, string>()
  if (typeof input === 'string') turns.user([{ type: 'text', text: input }])
  else if (Array.isArray(input)) readItems(input, before, { turns, results, notes })
  const read = turns.finish()
  noteStrayResult(read, results, notes)
  return read
}

function readItems(items: readonly unknown[], before: number, context: DecodeContext): void {
  for (const [index, item] of items.entries()) {
    const path = index < before ? 'input' : `input[${index - before}]`
    if (typeof item !== 'object' || item === null) throw wrong(path, 'an object')
    readItem(item as JsonObject, path, context)
  }
}

function readItem(item: JsonObject, path: string, context: DecodeContext): void {
  const type = stringAt(item, 'type') ?? untypedKind(item)
  const read = readers.get(type)
  if (read) read(item, path, context)
  else if (type === 'item_reference') {
    context.notes.native(path, 'only the account that stores an item can look it up')
  } else context.notes.native(path, `only the Responses API has items of the type ${type}`)
}

/** Returns the type of an untyped item: a reference if it has an id and no role, else a message. */
function untypedKind(item: JsonObject): string {
  return 'id' in item && !('role' in item) ? 'item_reference' : 'message'
}

function readReasoning(item: JsonObject, path: string, { turns, notes }: DecodeContext): void {
  notes.uses('reasoning_history', path)
  noteMembers('reasoning', item, path, notes)
  turns.assistant(reasoningParts(item))
}

function readFunctionCall(item: JsonObject, path: string, { turns, notes }: DecodeContext): void {
  noteMembers('call', item, path, notes)
  const input = textIn(item, 'arguments', path)
  turns.assistant([{ ...callOf(item, path), kind: 'function', arguments: input }])
}

function readCustomCall(item: JsonObject, path: string, { turns, notes }: DecodeContext): void {
  notes.uses('custom_tools', path)
  noteMembers('call', item, path, notes)
  const input = textIn(item, 'input', path)
  turns.assistant([{ ...callOf(item, path), kind: 'custom', arguments: input }])
}

function callOf(item: JsonObject, path: string) {
  const name = flatName(toolNameOf(item, path), textMember(item, 'namespace', path))
  return { type: 'tool_call', id: callIdOf(item, path), name } as const
}

function readOutput(
  item: JsonObject,
  path: string,
  { turns, results, notes }: DecodeContext,
): void {
  noteMembers('output', item, path, notes)
  const name = textMember(item, 'name', path)
  const content = readContent(item.output, `${path}.output`, notes)
  const isMedium = (part: UserPart) => part.type === 'image' || part.type === 'file'
  if (content.some(isMedium)) notes.uses('tool_result_media', `${path}.output`)
  const result: ToolResult = {
    callId: callIdOf(item, path),
    ...(name !== undefined && { name: flatName(name, textMember(item, 'namespace', path)) }),
    content: content.filter((part) => isResultPart(part, path, notes)),
  }
  results.set(result, path)
  turns.result(result)
}

function isResultPart(
  part: UserPart,
  path: string,
  notes: Notes,
): part is ToolResult['content'][number] {
  if (part.type !== 'audio') return true
  notes.native(`${path}.output`, 'only the Responses API accepts audio in tool results')
  return false
}

function readImageCall(item: JsonObject, path: string, { turns, notes }: DecodeContext): void {
  const image = imageOf(item)
  if (image) turns.assistant([image])
  else notes.native(path, 'only the account that made the image has it')
}

function callIdOf(item: JsonObject, path: string): string {
  const id = stringAt(item, 'call_id')
  if (id === undefined || id === '') throw wrong(`${path}.call_id`, 'a non-empty string')
  return id
}

function textIn(item: JsonObject, field: string, path: string): string {
  const value = stringAt(item, field)
  if (value === undefined) throw wrong(`${path}.${field}`, 'a string')
  return value
}
