import { type JsonObject, setOwn } from '../../../../src/lib/json/object.ts'
import { objectsIn, objectAt, stringAt } from '../../../../src/lib/json/read.ts'
import { TextMap } from '../../../../src/lib/text-map.ts'

const idPrefixes = new TextMap<string, unknown>([
  ['message', 'msg_'],
  ['reasoning', 'rs_'],
  ['function_call', 'fc_'],
  ['function_call_output', 'fc_'],
  ['custom_tool_call', 'ctc_'],
  ['custom_tool_call_output', 'ctc_'],
  ['image_generation_call', 'ig_'],
])

/**
 * Returns the `input` of a request as a list of items, each with its type and an id; contract part
 * types (docs/wire/contract.md 3.1) become the provider's.
 */
export function inputItemsOf(input: unknown, newId: (prefix: string) => string): JsonObject[] {
  if (typeof input === 'string') {
    const content = [{ type: 'input_text', text: input }]
    return [{ id: newId('msg_'), type: 'message', status: 'completed', role: 'user', content }]
  }
  return objectsIn(input).map((item) => inputItem(item, newId))
}

/** Returns the `output` of a response as items that can precede the next `input`. */
export function replayItemsOf(output: unknown): JsonObject[] {
  return objectsIn(output).map((item) => {
    const content = Array.isArray(item.content) && {
      content: objectsIn(item.content).map(withoutReplyMembers),
    }
    return copyWithout(item, ['parsed_arguments'], content)
  })
}

function inputItem(item: JsonObject, newId: (prefix: string) => string): JsonObject {
  const isReference = item.type === undefined && 'id' in item && !('role' in item)
  const type = item.type ?? (isReference ? 'item_reference' : 'message')
  const id = stringAt(item, 'id') ?? newId(idPrefixes.get(type) ?? 'item_')
  if (type !== 'message') return copyWithout(item, ['parsed_arguments'], { id, type })
  const message = { id, type, status: item.status ?? 'completed', content: contentOf(item) }
  return copyWithout(item, ['parsed_arguments'], message)
}

function contentOf({ content, role }: JsonObject): JsonObject[] {
  const kind = role === 'assistant' ? 'output_text' : 'input_text'
  if (typeof content === 'string') return [{ type: kind, text: content }]
  return objectsIn(content).map((part) => toProviderPart(withoutReplyMembers(part), kind))
}

function toProviderPart(part: JsonObject, kind: string): JsonObject {
  if (part.type === 'text') return { ...part, type: kind }
  if (part.type !== 'image_url') return part
  const image = objectAt(part, 'image_url')
  if (!image) return { ...part, type: 'input_image' }
  const { url, detail } = image
  return { ...part, type: 'input_image', image_url: url, ...(detail !== undefined && { detail }) }
}

/** Removes members that SDK helpers add and those that requests do not accept. */
function withoutReplyMembers(part: JsonObject): JsonObject {
  return copyWithout(part, ['parsed', 'logprobs'])
}

/**
 * A copy with members removed and others set. It copies once, and one by one, which takes half as long as a spread: an
 * object may have a hundred thousand members.
 */
function copyWithout(
  object: JsonObject,
  removed: readonly string[],
  set?: JsonObject | false,
): JsonObject {
  const copy: Record<string, unknown> = {}
  for (const name of Object.keys(object)) {
    if (!removed.includes(name)) setOwn(copy, name, object[name])
  }
  return set ? Object.assign(copy, set) : copy
}
