import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { FilePart, ImagePart, ToolResult } from '../../../../../src/generate/content.ts'
import { documentText, encodeMedia, headingOf, sourceOf } from './encode-media.ts'
import type { ModelFacts } from './models.ts'
import { parseArguments } from '../tool-arguments.ts'

/** The response to a call, and the media for the same content after all responses. */
interface EncodedResponse {
  readonly part: JsonObject
  readonly media: readonly JsonObject[]
}

/** The output that the account gets for a call without an output in the conversation. */
export const noResult = 'No result.'

/** Encodes the response to a call. Accounts require one for every call. */
export function encodeResponse(
  id: string,
  name: string,
  result: ToolResult | undefined,
  model: ModelFacts,
): EncodedResponse {
  const media = result?.content.filter(isMedium) ?? []
  const titles = model.isThirdGeneration ? media.flatMap(titlesOf) : []
  const response = result ? responseOf(result, titles) : { output: noResult }
  const inside = model.isThirdGeneration && media.length > 0 ? { parts: media.map(sourceOf) } : {}
  const label = { text: `From the result of the call of ${name} (${id}):` }
  return {
    part: { functionResponse: { id, name, response, ...inside } },
    media:
      model.isThirdGeneration || media.length === 0 ? [] : [label, ...media.flatMap(encodeMedia)],
  }
}

/** Encodes a result that belongs to no call of the conversation, as parts of a user content. */
export function encodeOrphanResult(result: ToolResult): JsonObject[] {
  const output = result.failed ? `Error: ${textOf(result)}` : textOf(result)
  const text = `The result of a tool call ${result.callId}:\n${output}`
  return [{ text }, ...result.content.filter(isMedium).flatMap(encodeMedia)]
}

/** Google reads a `$ref` in a response as the name of a part, and refuses an unknown name. */
const reference = /"(?:\$|\\u0024)ref"\s*:/

/**
 * Encodes a result: an object without references stays one; anything else is wrapped in Google's `output` or
 * `error`.
 */
function responseOf(result: ToolResult, titles: readonly string[]): JsonObject {
  const text = [textOf(result), ...titles].filter((line) => line !== '').join('\n')
  if (result.failed) return { error: text }
  const object =
    text.trimStart().startsWith('{') && !reference.test(text) ? parseArguments(text) : undefined
  return object ?? { output: text }
}

function textOf({ content }: ToolResult): string {
  return content
    .flatMap((part) => {
      if (part.type === 'text') return [part.text]
      if (part.type !== 'file' || part.source.kind !== 'text') return []
      return [documentText(part, part.source.text)]
    })
    .join('\n')
}

/** The title and context of a document, for which the parts of a response have no field. */
function titlesOf(part: ImagePart | FilePart): string[] {
  const heading = part.type === 'file' ? headingOf(part) : ''
  return heading === '' ? [] : [heading]
}

/** Whether a part of a result is an image or a file that is not plain text. */
export function isMedium(part: ToolResult['content'][number]): part is ImagePart | FilePart {
  return part.type === 'image' || (part.type === 'file' && part.source.kind !== 'text')
}
