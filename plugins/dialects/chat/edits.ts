import { append } from '../../../src/lib/append.ts'
import type { RequestBody } from '../../../src/contract/body.ts'
import type { Loss } from '../../../src/contract/call.ts'
import { containsWrapped, isWrapped, readSignature } from '../../../src/generate/signatures.ts'
import { type ByteEdit, removeElements, removeMember } from '../../../src/lib/json/edit.ts'
import {
  type ByteRange,
  decodeString,
  eachElement,
  eachMember,
  findMember,
  hasString,
} from '../../../src/lib/json/scan.ts'
import { chatId } from './codec/signatures.ts'
import { largestImage } from './codec/decode-request/decode-parts.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import { isPresent } from '../../../src/kit/checks.ts'

/** The path of the signature within a tool call. */
const path = ['extra_content', 'google', 'thought_signature'] as const

/**
 * Returns the edits of the signature in a replayed tool call. A token that wraps a signature of this
 * dialect becomes that signature. A token of another dialect is removed, together with the objects
 * around it that have no other members.
 */
function callSignatureEdits(bytes: Buffer, call: ByteRange): ByteEdit[] {
  const objects: ByteRange[] = [call]
  for (const name of path) {
    const value = findMember(bytes, (objects.at(-1) as ByteRange).start, name)
    if (!value) return []
    objects.push(value)
  }
  const at = objects.pop() as ByteRange
  const token = bytes[at.start] === 0x22 ? decodeString(bytes, at) : ''
  if (!isWrapped(token)) return []
  const signature = readSignature(token, chatId)
  return signature?.dialect === chatId
    ? [{ ...at, text: JSON.stringify(signature.value) }]
    : withoutSignature(bytes, objects)
}

function withoutSignature(bytes: Buffer, objects: readonly ByteRange[]): ByteEdit[] {
  let depth = objects.length - 1
  while (depth > 0 && isAlone(bytes, objects[depth] as ByteRange)) depth--
  return removeMember(bytes, objects[depth] as ByteRange, path[depth] as string)
}

function isAlone(bytes: Buffer, object: ByteRange): boolean {
  let members = 0
  eachMember(bytes, object.start, () => members++)
  return members === 1
}

/** The smallest base64 length of an image above the limit, in bytes. */
const minLargeBase64 = (largestImage / 3) * 4

/** The edits of a native request, and the losses that they cause. */
interface ChatEdits {
  readonly edits: readonly ByteEdit[]
  readonly losses: readonly Loss[]
}

const none: ChatEdits = { edits: [], losses: [] }

/**
 * Returns the edits of a native request. They remove members that only the SDK's helpers use and
 * signatures of other dialects' accounts from replayed messages, and discard images above the limit.
 * The messages are parsed only where a search finds a candidate.
 */
export function chatEdits(body: RequestBody): ChatEdits {
  const { bytes } = body
  const hasParsed = hasString(body, '"parsed')
  const mayHaveLargeImage = bytes.length > minLargeBase64
  const hasLargeImage = mayHaveLargeImage && hasString(body, '"image_url"')
  const hasTokens = containsWrapped(body)
  const messages = body.members.get('messages')
  if (!messages || (!hasParsed && !hasLargeImage && !hasTokens)) return none
  const edits: ByteEdit[] = []
  const losses: Loss[] = []
  let index = 0
  eachElement(bytes, messages.start, (message) => {
    if (hasParsed) append(edits, removeMember(bytes, message, 'parsed'))
    if (hasParsed || hasTokens) append(edits, callsEdits(bytes, message))
    const content = hasLargeImage && findMember(bytes, message.start, 'content')
    if (content) discardImages(bytes, content, `messages[${index}].content`, edits, losses)
    index++
  })
  return { edits, losses }
}

/** Edits tool calls. `parsed_arguments`, as `parsed` of a message, is a member that the SDK adds. */
function callsEdits(bytes: Buffer, message: ByteRange): ByteEdit[] {
  const edits: ByteEdit[] = []
  const calls = findMember(bytes, message.start, 'tool_calls')
  if (!calls) return edits
  eachElement(bytes, calls.start, (call) => {
    append(edits, callSignatureEdits(bytes, call))
    const callee = findMember(bytes, call.start, 'function')
    if (callee) append(edits, removeMember(bytes, callee, 'parsed_arguments'))
  })
  return edits
}

function discardImages(
  bytes: Buffer,
  content: ByteRange,
  path: string,
  edits: ByteEdit[],
  losses: Loss[],
): void {
  const parts: ByteRange[] = []
  const large = new Set<ByteRange>()
  eachElement(bytes, content.start, (part) => {
    parts.push(part)
    if (imageSize(bytes, part) > largestImage) large.add(part)
  })
  if (large.size === 0) return
  parts.forEach((part, index) => {
    if (large.has(part)) losses.push({ field: `${path}[${index}]`, reason: 'image above 8 MB' })
  })
  append(edits, removeElements(content, parts, large, '{"type":"text","text":""}'))
}

/** Returns the size of a part's image in decoded bytes; 0 if it is not a data URL. */
function imageSize(bytes: Buffer, part: ByteRange): number {
  if (part.end - part.start < minLargeBase64) return 0
  let size = 0
  eachMember(bytes, part.start, (key, value) => {
    if (decodeString(bytes, key) !== 'image_url') return
    const url = findMember(bytes, value.start, 'url') ?? value
    const comma = bytes.indexOf(',', url.start)
    const isData = bytes.toString('latin1', url.start + 1, url.start + 6) === 'data:'
    if (isData && comma > 0) size = decodedSize(bytes, { start: comma + 1, end: url.end - 1 })
  })
  return size
}

/** Returns the decoded size in bytes. Some clients escape `/` as `\/`, which adds bytes and no data. */
function decodedSize(bytes: Buffer, base64: ByteRange): number {
  const text = bytes.toString('latin1', base64.start, base64.end).replaceAll('\\', '')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.floor((text.length * 3) / 4) - padding
}

const limit = 'max_completion_tokens'
const formerLimit = 'max_tokens'
const quote = 0x22

const noEdits: readonly ByteEdit[] = []

/**
 * Renames `max_completion_tokens` of a native request to an account that takes `max_tokens` and would
 * ignore the newer field. It replaces a `max_tokens` of the client, as it does where a translation
 * reads both.
 */
export function outputLimitEdits({ body, candidate }: Routed): readonly ByteEdit[] {
  const { json, bytes, members } = body
  if (candidate.account.outputLimitField !== formerLimit || !isPresent(json, limit)) return noEdits
  const value = members.get(limit)
  if (!value) return noEdits
  const rename = { ...keyBefore(bytes, value), text: `"${formerLimit}"` }
  if (!members.has(formerLimit)) return [rename]
  return [rename, ...removeMember(bytes, { start: 0, end: bytes.length }, formerLimit)]
}

/** The key of a value, with its quotes. The decoded key has no quote, so that none is escaped in it. */
function keyBefore(bytes: Buffer, value: ByteRange): ByteRange {
  const last = bytes.lastIndexOf(quote, value.start - 1)
  return { start: bytes.lastIndexOf(quote, last - 1), end: last + 1 }
}
