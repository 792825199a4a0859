import { fileError } from './discover.ts'

/** Throws `ConfigurationError` with line and column when the text is no JSON. */
export function parseJsonFile(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const [line, column] = positionOf(message, text)
    throw fileError(
      `${file}:${line}:${column}`,
      `is not JSON: ${message.replace(/ in JSON at position .*| \(line .*/, '')}`,
      'JSON has no comments and no trailing commas; a .ts file may have both',
      cause,
    )
  }
}

// The engine tells the position of a wrong character, but not where a text ended too early.
function positionOf(message: string, text: string): [line: number, column: number] {
  const position = /\(line (\d+) column (\d+)\)/.exec(message)
  if (position) return [Number(position[1]), Number(position[2])]
  const lines = text.trimEnd().split('\n')
  return [lines.length, (lines.at(-1)?.length ?? 0) + 1]
}
