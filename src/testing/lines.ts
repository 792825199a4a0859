import type { LineSink } from '../lib/line-writer.ts'

/** Lines of JSON, parsed. */
export type Collected = readonly Readonly<Record<string, unknown>>[]

/** A sink that keeps what is written to it. */
export function collectLines(): { readonly sink: LineSink; readonly lines: Collected } {
  const lines: Record<string, unknown>[] = []
  return {
    lines,
    sink: {
      writableLength: 0,
      write(text, callback) {
        for (const line of text.split('\n')) {
          if (line) lines.push(JSON.parse(line) as Record<string, unknown>)
        }
        callback?.()
        return true
      },
    },
  }
}
