/**
 * Characters that steer a terminal or change how a text looks without being seen: control characters,
 * marks of direction and their like, separators of lines, halves of surrogate pairs. Line feeds may pass.
 */
const steering = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]--\n]+/gv

/**
 * A text for a terminal, with `\u001b` in place of a character that would steer it. In JSON, where such
 * characters stand in strings only, it means the same text.
 */
export function visible(text: string): string {
  return text.replaceAll(steering, escaped)
}

/** The same for a part of a line: a line feed would begin another line. */
export function visibleInLine(text: string): string {
  return visible(text).replaceAll('\n', String.raw`\n`)
}

/**
 * The same for a line of `JSON.stringify`, which is in ASCII nearly always, and of ASCII leaves only one
 * such character as it is.
 */
export function visibleJson(line: string): string {
  const isPlain = Buffer.byteLength(line) === line.length && !line.includes('\u007f')
  return isPlain ? line : visible(line)
}

function escaped(characters: string): string {
  let text = ''
  for (let index = 0; index < characters.length; index++) {
    const code = characters.charCodeAt(index)
    text += controls[code] ?? escapeOf(code)
  }
  return text
}

function escapeOf(code: number): string {
  return String.raw`\u` + code.toString(16).padStart(4, '0')
}

/** The escapes of control characters, made once: clients can send many of these characters. */
const controls: readonly string[] = Array.from({ length: 0xa0 }, (_, code) => escapeOf(code))
