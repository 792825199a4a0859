import type { JsonObject } from '../../../../src/codec.ts'
import type { ToolCallPart } from '../../../../src/generate/content.ts'
import { safeToolId } from '../../../../src/generate/tool-ids.ts'
import { extraContent } from './extra-content.ts'
import { isGiven } from '../../../../src/codecs/read.ts'

/** A call as clients read it. */
export function clientCall(call: ToolCallPart): JsonObject {
  const { kind, name, signature } = call
  const id = safeToolId(call.id)
  const signed = signature && { extra_content: extraContent(signature) }
  const said = inputOf(call)
  if (kind === 'custom') return { id, type: kind, custom: { name, input: said }, ...signed }
  return { id, type: kind, function: { name, arguments: said }, ...signed }
}

/** A call as clients of `functions` read it. */
export function legacyCall(call: ToolCallPart): JsonObject {
  return { name: call.name, arguments: inputOf(call) }
}

/** Clients parse the arguments of a function, of one that takes none too. */
function inputOf(call: ToolCallPart): string {
  return call.kind === 'function' && call.arguments === '' ? '{}' : call.arguments
}

/** Whether a client knows calls only as they were before there were tools. */
export function asksForFunctions({ functions, tools }: JsonObject): boolean {
  return isGiven(functions) && !isGiven(tools)
}
