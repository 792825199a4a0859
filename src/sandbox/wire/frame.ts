/** One event of a streamed reply, before it is encoded. */
export type Frame = {
  /** The SSE event name, if the provider writes one. */
  name?: string
  /** JSON data, or a bare word such as `[DONE]`. */
  data: object | string
  /** Marked as an exception, where the framing has such a mark. */
  isException?: boolean
}

/** How a provider frames its streams: server-sent events, the items of one JSON array, or messages of AWS. */
export type Framing = 'sse' | 'json-array' | 'aws-messages'

/** Variations of the framing, as directives demand them. */
type FrameStyle = { crlf?: boolean; multiline?: boolean; comments?: boolean }

/** Encodes a server-sent event, with its closing blank line. */
export function encodeEvent(frame: Frame, style: FrameStyle = {}): string {
  const lines: string[] = []
  if (style.comments) lines.push(': sandbox', '')
  if (frame.name !== undefined) lines.push(`event: ${frame.name}`)
  for (const line of dataOf(frame, style).split('\n')) lines.push(`data: ${line}`)
  lines.push('', '')
  return lines.join(style.crlf ? '\r\n' : '\n')
}

/** Encodes an item of the JSON array that Gemini streams by default. */
export function encodeArrayItem(frame: Frame, index: number): string {
  return `${index === 0 ? '[' : ',\r\n'}${dataOf(frame, {})}`
}

/** The frame with its JSON made invalid. */
export function corruptFrame(frame: Frame): Frame {
  return { ...frame, data: `${dataOf(frame, {}).slice(0, -1)},,` }
}

function dataOf(frame: Frame, style: FrameStyle): string {
  if (typeof frame.data === 'string') return frame.data
  return JSON.stringify(frame.data, null, style.multiline ? 1 : 0)
}
