import {
  checkArguments,
  GatewayError,
  type JsonObject,
  parseObject,
  safeToolId,
  stringAt,
  type ToolCallPart,
} from '../../../../src/dialect-kit/index.ts'

/**
 * A call of a voice: `{id, helper, with}`. `newId` names a call that came without an id. Throws where
 * it calls nothing by its name.
 */
export function decodeCall(call: JsonObject, newId: () => string): ToolCallPart {
  const name = stringAt(call, 'helper')
  if (!name) {
    throw new GatewayError('upstream_invalid_reply', 'The upstream calls a helper without a name.')
  }
  return {
    type: 'tool_call',
    kind: 'function',
    id: stringAt(call, 'id') || newId(),
    name,
    arguments: textOf(call.with),
  }
}

export function encodeCall({ id, name, arguments: text }: ToolCallPart): JsonObject {
  return { id: safeToolId(id), helper: name, with: inputOf(text) }
}

/** A voice that wrote no object may have its text in place of one. */
function textOf(input: unknown): string {
  if (typeof input === 'string') return input
  checkArguments(input)
  return JSON.stringify(input ?? {})
}

function inputOf(text: string): JsonObject | string {
  return text.trim() === '' ? {} : (parseObject(text) ?? text)
}
