import type { Understood } from '../../src/contract/exchange.ts'
import { type JsonObject, isObject } from '../../src/lib/json/object.ts'

/** In bytes. A larger body is not looked through: no context holds so much text. */
const longestText = 4 * 1024 * 1024

/** Members under which the four dialects have the contents of messages, results of tools included. */
const contentMembers = ['messages', 'input', 'contents', 'content', 'parts', 'output']
/** Members of Gemini's parts that are no texts. */
const mediaMembers = ['inlineData', 'inline_data', 'fileData', 'file_data']
/** The types of other dialects' parts that are no texts. */
const mediaType = /^(?:input_)?(?:image|image_url|audio|file|document|video)$|^computer_screenshot$/
/** The levels that are searched: the content of a result of a tool lies as deep. */
const deepest = 12

/** Whether a request has images, files or sound: a model for texts may fail at each of them. */
export function hasMedia({ body }: Pick<Understood, 'body'>): boolean {
  return body.bytes.length > longestText || contains(body.json, deepest)
}

function contains(value: unknown, levels: number): boolean {
  if (levels === 0) return false
  if (Array.isArray(value)) return value.some((item) => contains(item, levels - 1))
  if (!isObject(value)) return false
  return isMedia(value) || contentMembers.some((name) => contains(value[name], levels - 1))
}

function isMedia(part: JsonObject): boolean {
  const { type } = part
  if (typeof type === 'string') return mediaType.test(type)
  return mediaMembers.some((name) => part[name] !== undefined)
}
