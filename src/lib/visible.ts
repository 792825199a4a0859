/**
 * Characters that steer a terminal or change how a text looks without being seen: control characters,
 * marks of direction and their like, separators of lines, halves of surrogate pairs. Line feeds may pass.
 */
const steering = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

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

function escaped(character: string): string {
  let text = ''
  for (let index = 0; index < character.length; index++) {
    text += String.raw`\u` + character.charCodeAt(index).toString(16).padStart(4, '0')
  }
  return text
}
