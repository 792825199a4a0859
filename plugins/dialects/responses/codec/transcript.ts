import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, objectAt, stringAt } from '../../../../src/lib/json/read.ts'

const idPrefixes = new Map<unknown, string>([
  ['message', 'msg_'],
  ['reasoning', 'rs_'],
  ['function_call', 'fc_'],
  ['function_call_output', 'fc_'],
  ['custom_tool_call', 'ctc_'],
  ['custom_tool_call_output', 'ctc_'],
  ['image_generation_call', 'ig_'],
])

/**
 * The `input` of a request as a list of items: each with its type and an id, and its parts in the
 * provider's words instead of the contract's own.
 */
export function inputItemsOf(input: unknown, newId: (prefix: string) => string): JsonObject[] {
  if (typeof input === 'string') {
    const content = [{ type: 'input_text', text: input }]
    return [{ id: newId('msg_'), type: 'message', status: 'completed', role: 'user', content }]
  }
  return objectsIn(input).map((item) => inputItem(item, newId))
}

/** The `output` of a response as items that can stand before the next `input`. */
export function replayItemsOf(output: unknown): JsonObject[] {
  return objectsIn(output).map((item) => {
    const { parsed_arguments: _, ...kept } = item
    return Array.isArray(item.content)
      ? { ...kept, content: objectsIn(item.content).map(bare) }
      : kept
  })
}

function inputItem(item: JsonObject, newId: (prefix: string) => string): JsonObject {
  const isReference = item.type === undefined && 'id' in item && !('role' in item)
  const type = item.type ?? (isReference ? 'item_reference' : 'message')
  const id = stringAt(item, 'id') ?? newId(idPrefixes.get(type) ?? 'item_')
  const { parsed_arguments: _, ...kept } = item
  const named = { ...kept, id, type }
  if (type !== 'message') return named
  return { ...named, status: item.status ?? 'completed', content: contentOf(item) }
}

function contentOf({ content, role }: JsonObject): JsonObject[] {
  const kind = role === 'assistant' ? 'output_text' : 'input_text'
  if (typeof content === 'string') return [{ type: kind, text: content }]
  return objectsIn(content).map((said) => inProvidersWords(bare(said), kind))
}

function inProvidersWords(said: JsonObject, kind: string): JsonObject {
  if (said.type === 'text') return { ...said, type: kind }
  if (said.type !== 'image_url') return said
  const image = objectAt(said, 'image_url')
  if (!image) return { ...said, type: 'input_image' }
  const { url, detail } = image
  return { ...said, type: 'input_image', image_url: url, ...(detail !== undefined && { detail }) }
}

/** Without what only helpers of SDKs know, and without what no request says. */
function bare(told: JsonObject): JsonObject {
  const { parsed: _, logprobs: __, ...said } = told
  return said
}
