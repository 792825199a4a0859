/** One event of a streamed reply, before it becomes bytes. */
export type Frame = {
  /** The SSE event name, where the provider writes one. */
  name?: string
  /** JSON data, or a bare word such as `[DONE]`. */
  data: object | string
}

/** How a provider frames its streams: server-sent events, or the items of one JSON array. */
export type Framing = 'sse' | 'json-array'

/** The variations of framing that the directives offer. */
export type FrameStyle = { crlf?: boolean; multiline?: boolean; comments?: boolean }

/** One server-sent event with its closing blank line. */
export function encodeEvent(frame: Frame, style: FrameStyle = {}): string {
  const lines: string[] = []
  if (style.comments) lines.push(': sandbox', '')
  if (frame.name !== undefined) lines.push(`event: ${frame.name}`)
  for (const line of dataOf(frame, style).split('\n')) lines.push(`data: ${line}`)
  lines.push('', '')
  return lines.join(style.crlf ? '\r\n' : '\n')
}

/** One item of the JSON array that Gemini streams when it is not asked for SSE. */
export function encodeArrayItem(frame: Frame, index: number): string {
  return `${index === 0 ? '[' : ',\r\n'}${dataOf(frame, {})}`
}

/** The same frame with its JSON broken. */
export function corruptFrame(frame: Frame): Frame {
  return { ...frame, data: `${dataOf(frame, {}).slice(0, -1)},,` }
}

function dataOf(frame: Frame, style: FrameStyle): string {
  if (typeof frame.data === 'string') return frame.data
  return JSON.stringify(frame.data, null, style.multiline ? 1 : 0)
}
