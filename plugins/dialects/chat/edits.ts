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
} from '../../../src/lib/json/scan.ts'
import { chatId } from './codec/signatures.ts'

/** Where a call keeps its signature. */
const path = ['extra_content', 'google', 'thought_signature'] as const

/**
 * Takes the signature of another dialect's account out of a replayed call, with the objects around
 * it that hold nothing else, or puts its own in place of its token.
 */
export function callSignatureEdits(bytes: Buffer, call: ByteRange): ByteEdit[] {
  const holders: ByteRange[] = [call]
  for (const name of path) {
    const value = findMember(bytes, (holders.at(-1) as ByteRange).start, name)
    if (!value) return []
    holders.push(value)
  }
  const at = holders.pop() as ByteRange
  const token = bytes[at.start] === 0x22 ? decodeString(bytes, at) : ''
  if (!isWrapped(token)) return []
  const signature = readSignature(token, chatId)
  return signature?.dialect === chatId
    ? [{ ...at, text: JSON.stringify(signature.value) }]
    : withoutSignature(bytes, holders)
}

function withoutSignature(bytes: Buffer, holders: readonly ByteRange[]): ByteEdit[] {
  let depth = holders.length - 1
  while (depth > 0 && isAlone(bytes, holders[depth] as ByteRange)) depth--
  return removeMember(bytes, holders[depth] as ByteRange, path[depth] as string)
}

function isAlone(bytes: Buffer, object: ByteRange): boolean {
  let members = 0
  eachMember(bytes, object.start, () => members++)
  return members === 1
}

/** Larger image input is discarded (docs/wire/contract.md 3.2). Decoded bytes. */
const largestImage = 8 * 1024 * 1024

/** The least that a too large image can take as base64. */
const smallestSuspect = (largestImage / 3) * 4

export interface ChatEdits {
  readonly edits: readonly ByteEdit[]
  readonly losses: readonly Loss[]
}

const none: ChatEdits = { edits: [], losses: [] }

/**
 * What a native request gets: keys that only the SDK's helpers know and signatures of other
 * dialects' accounts are taken out of replayed messages, and images above the limit are discarded.
 * The messages are walked only where a plain byte search says that there may be something to do.
 */
export function chatEdits(body: RequestBody): ChatEdits {
  const { bytes } = body
  const hasParsed = bytes.includes('"parsed')
  const hasLargeImage = bytes.length > smallestSuspect && bytes.includes('"image_url"')
  const hasTokens = containsWrapped(bytes)
  const messages = body.members.get('messages')
  if (!messages || (!hasParsed && !hasLargeImage && !hasTokens)) return none
  const edits: ByteEdit[] = []
  const losses: Loss[] = []
  let index = 0
  eachElement(bytes, messages.start, (message) => {
    if (hasParsed) edits.push(...removeMember(bytes, message, 'parsed'))
    if (hasParsed || hasTokens) edits.push(...callsEdits(bytes, message))
    const content = hasLargeImage && findMember(bytes, message.start, 'content')
    if (content) discardImages(bytes, content, `messages[${index}].content`, edits, losses)
    index++
  })
  return { edits, losses }
}

/** `parsed_arguments`, like `parsed` of a message, is what the SDK made of a reply. */
function callsEdits(bytes: Buffer, message: ByteRange): ByteEdit[] {
  const edits: ByteEdit[] = []
  const calls = findMember(bytes, message.start, 'tool_calls')
  if (!calls) return edits
  eachElement(bytes, calls.start, (call) => {
    edits.push(...callSignatureEdits(bytes, call))
    const called = findMember(bytes, call.start, 'function')
    if (called) edits.push(...removeMember(bytes, called, 'parsed_arguments'))
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
  edits.push(...removeElements(content, parts, large, '{"type":"text","text":""}'))
}

/** Decoded bytes of a part's data URL; 0 for anything else. */
function imageSize(bytes: Buffer, part: ByteRange): number {
  if (part.end - part.start < smallestSuspect) return 0
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

/** Some clients write `/` as `\/`, which adds bytes and no data. */
function decodedSize(bytes: Buffer, base64: ByteRange): number {
  const text = bytes.toString('latin1', base64.start, base64.end).replaceAll('\\', '')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.floor((text.length * 3) / 4) - padding
}
