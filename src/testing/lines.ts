import type { LineSink } from '../lib/log.ts'

/** Log lines, parsed from JSON. */
export type LogLines = readonly Readonly<Record<string, unknown>>[]

/** Creates a sink that parses and collects its lines. */
export function collectLines(): { readonly sink: LineSink; readonly lines: LogLines } {
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
