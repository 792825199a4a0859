import type { TextFrame } from '../../contract/codec.ts'

/** Encodes the text around a delta as bytes. */
export function textFrame(before: string, after: string, end?: string): TextFrame {
  const around = { before: Buffer.from(before), after: Buffer.from(after) }
  return end === undefined ? around : { ...around, end: Buffer.from(end) }
}
