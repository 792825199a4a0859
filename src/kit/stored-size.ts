/**
 * The largest stored response, in bytes. Stores may miss their deadline with more: on a busy machine
 * writing 12 MiB of JSON to a file takes 250 ms.
 */
export const maxStoredBytes = 8 * 1024 * 1024

/** The largest resource, in bytes, that is read, changed and written in one step. */
export const maxUpdatedBytes = 4 * 1024 * 1024

/** Bytes around a value in JSON text: quotes, a comma, a colon. */
const around = 4

/** Deeper values cannot always be serialised. */
const deepest = 500

/**
 * The size of a value as JSON text, in bytes, or a little more; `Infinity` if it is nested too deeply. Of a value that
 * is larger than `maxStoredBytes`, it is the size of a part that is too.
 */
export function storedSizeOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return writtenBytes(value) + around
  if (typeof value === 'number') return String(value).length + around
  if (typeof value !== 'object' || value === null) return 2 * around
  if (depth > deepest) return Infinity
  let size = around
  if (Array.isArray(value)) {
    for (const member of value) {
      size += storedSizeOf(member, depth + 1)
      if (size > maxStoredBytes) break
    }
    return size
  }
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name]
    size += writtenBytes(name) + around + storedSizeOf(member, depth + 1)
    if (size > maxStoredBytes) break
  }
  return size
}

/** In characters. Native functions look at longer texts faster. */
const shortText = 32

const escaped = /["\\\p{Cc}]/u
const space = 0x20
const quote = 0x22
const backslash = 0x5c
const lastPrintable = 0x7e
/** Control characters with an escape of two characters: \b, \t, \n, \f and \r. */
const shortEscapes = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d])

/** The bytes of a text in JSON, where a control character takes up to six. */
function writtenBytes(text: string): number {
  if (text.length <= shortText && isPlain(text)) return text.length
  // Lone surrogates are escaped as control characters are; UTF-8 counts three bytes for them.
  let bytes = Buffer.byteLength(text) * (text.isWellFormed() ? 1 : 2)
  // A text that is too large in any case need not be read on.
  if (bytes > maxStoredBytes || !escaped.test(text)) return bytes
  for (let at = 0; at < text.length && bytes <= maxStoredBytes; at++) {
    const code = text.charCodeAt(at)
    if (code < space) bytes += shortEscapes.has(code) ? 1 : 5
    else if (code === quote || code === backslash) bytes++
  }
  return bytes
}

/** Whether a text is printable ASCII without escapes, as most names are. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < space || code > lastPrintable || code === quote || code === backslash) return false
  }
  return true
}
