import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { FilePart, ImagePart, ToolResult } from '../../../../../src/generate/content.ts'
import { encodeMedia, sourceOf } from './encode-media.ts'
import type { ModelFacts } from './models.ts'
import { parseArguments } from '../tool-arguments.ts'

/** The response to a call, and what it could not hold, for the same content behind all responses. */
export interface EncodedResponse {
  readonly part: JsonObject
  readonly more: readonly JsonObject[]
}

/** The answer to the call that goes under these names. Every call must have one. */
export function encodeResponse(
  id: string,
  name: string,
  result: ToolResult | undefined,
  model: ModelFacts,
): EncodedResponse {
  const media = result?.content.filter(isMedium) ?? []
  const response = result ? responseOf(result) : { output: 'No result.' }
  const inside = model.isThird && media.length > 0 ? { parts: media.map(sourceOf) } : {}
  const label = { text: `From the result of the call of ${name} (${id}):` }
  return {
    part: { functionResponse: { id, name, response, ...inside } },
    more: model.isThird || media.length === 0 ? [] : [label, ...media.flatMap(encodeMedia)],
  }
}

/** A result that answers no call of the conversation. */
export function encodeOrphanResult(result: ToolResult): JsonObject[] {
  const said = result.failed ? `Error: ${textOf(result)}` : textOf(result)
  const text = `The result of a tool call ${result.callId}:\n${said}`
  return [{ text }, ...result.content.filter(isMedium).flatMap(encodeMedia)]
}

/** An object stays one; anything else is told under Google's own names for it. */
function responseOf(result: ToolResult): JsonObject {
  const text = textOf(result)
  if (result.failed) return { error: text }
  const object = text.trimStart().startsWith('{') ? parseArguments(text) : undefined
  return object ?? { output: text }
}

function textOf({ content }: ToolResult): string {
  return content
    .flatMap((part) => {
      if (part.type === 'text') return [part.text]
      return part.type === 'file' && part.source.kind === 'text' ? [part.source.text] : []
    })
    .join('\n')
}

export function isMedium(part: ToolResult['content'][number]): part is ImagePart | FilePart {
  return part.type === 'image' || (part.type === 'file' && part.source.kind !== 'text')
}
