import type { JsonObject } from '../../../../src/codec.ts'
import type { FilePart, ImagePart, ToolResult, UserPart } from '../../../../src/generate/content.ts'

/** The message that answers a call, and what it could not hold, for a user's message after it. */
export interface EncodedResult {
  readonly message: JsonObject
  readonly media: readonly UserPart[]
}

/** The answer to the call that goes under `id`. Every call must have one. */
export function encodeResult(id: string, result: ToolResult | undefined): EncodedResult {
  if (!result) return { message: toolMessage(id, 'No result.'), media: [] }
  const media = result.content.filter(needsMessage)
  const label: UserPart = { type: 'text', text: `From the result of the tool call ${id}:` }
  return {
    message: toolMessage(id, textOf(result, media.length > 0)),
    media: media.length > 0 ? [label, ...media] : [],
  }
}

function toolMessage(id: string, content: string): JsonObject {
  return { role: 'tool', tool_call_id: id, content }
}

/** A result that answers no call of the conversation. */
export function looseResult(result: ToolResult): UserPart[] {
  const text = `The result of a tool call ${result.callId}:\n${textOf(result, false)}`
  return [{ type: 'text', text }, ...result.content.filter(needsMessage)]
}

function textOf({ content, failed }: ToolResult, hasMedia: boolean): string {
  const texts = content.flatMap((part) => {
    if (part.type === 'text') return [part.text]
    return part.type === 'file' && part.source.kind === 'text' ? [part.source.text] : []
  })
  const said = texts.length === 0 && hasMedia ? 'See the next message.' : texts.join('\n')
  return failed ? `Error: ${said}` : said
}

function needsMessage(part: ToolResult['content'][number]): part is ImagePart | FilePart {
  return part.type === 'image' || (part.type === 'file' && part.source.kind !== 'text')
}
