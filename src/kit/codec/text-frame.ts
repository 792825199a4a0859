import type { TextFrame } from '../../contract/codec.ts'

/** What stands around a text, in bytes. */
export function textFrame(before: string, after: string, end?: string): TextFrame {
  const around = { before: Buffer.from(before), after: Buffer.from(after) }
  return end === undefined ? around : { ...around, end: Buffer.from(end) }
}
