import type { RequestBody } from '../../../src/contract/body.ts'
import { containsWrapped, isWrapped } from '../../../src/generate/signatures.ts'
import {
  type ByteEdit,
  type ElementEdit,
  editElements,
  outermost,
  removeMember,
} from '../../../src/lib/json/edit.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import {
  type ByteRange,
  decodeString,
  eachElement,
  eachMember,
  findMember,
} from '../../../src/lib/json/scan.ts'
import { responsesId, signatureOf } from './codec/reasoning.ts'

/**
 * Takes out reasoning items that carry what only an account of another dialect understands. Where a
 * token has an item of this very dialect inside, that item stands in its place.
 */
export function reasoningEdits(
  bytes: Buffer,
  items: ByteRange,
  list: readonly unknown[],
): ByteEdit[] {
  return editElements(bytes, items, (item, index) => judge(bytes, item, list[index]))
}

function judge(bytes: Buffer, at: ByteRange, item: unknown): ElementEdit {
  const sealed = stringAt(item, 'encrypted_content')
  if (sealed === undefined || !isWrapped(sealed)) return []
  const signature = signatureOf(item as Record<string, unknown>)
  if (signature?.dialect !== responsesId) return 'remove'
  return [
    ...replaced(bytes, at, 'encrypted_content', signature.value),
    ...(signature.id === undefined ? [] : replaced(bytes, at, 'id', signature.id)),
  ]
}

function replaced(bytes: Buffer, item: ByteRange, name: string, value: string): ByteEdit[] {
  const member = findMember(bytes, item.start, name)
  return member ? [{ ...member, text: JSON.stringify(value) }] : []
}

/** The contract's own part types, which providers do not know. */
const contractParts = /"type"\s*:\s*"(?:text|image_url)"/

/**
 * What a native request gets: the contract's own spellings in the provider's words, and keys that
 * only the SDK's helpers know and reasoning of other dialects' accounts taken out.
 */
export function responsesEdits(body: RequestBody): ByteEdit[] {
  const { prompt } = body.json
  const edits = itemEdits(body, 'input')
  return typeof prompt === 'string' ? [...promptEdits(body, prompt), ...edits] : edits
}

/**
 * The same for the items of one member of the body. They are walked only where a plain search says
 * that there may be something to do.
 */
export function itemEdits({ bytes, json, members }: RequestBody, member: string): ByteEdit[] {
  const items = members.get(member)
  const list = json[member]
  if (!items || !Array.isArray(list)) return []
  const edits = wordEdits(bytes, items)
  return containsWrapped(bytes)
    ? outermost([...edits, ...reasoningEdits(bytes, items, list)])
    : edits
}

function wordEdits(bytes: Buffer, items: ByteRange): ByteEdit[] {
  const edits: ByteEdit[] = []
  const hasParsed = bytes.includes('"parsed')
  const hasContractParts = contractParts.test(bytes.toString('latin1', items.start, items.end))
  if (!hasParsed && !hasContractParts) return edits
  eachElement(bytes, items.start, (item) => {
    if (hasParsed) edits.push(...removeMember(bytes, item, 'parsed_arguments'))
    const assistant = stringMember(bytes, item, 'role') === 'assistant'
    const content = findMember(bytes, item.start, 'content')
    if (!content) return
    eachElement(bytes, content.start, (part) => {
      if (hasParsed) edits.push(...removeMember(bytes, part, 'parsed'))
      if (hasContractParts) edits.push(...partEdits(bytes, part, assistant))
    })
  })
  return edits
}

/** `{type: 'text'}` and `{type: 'image_url', image_url: {url}}` (docs/wire/contract.md 3.1). */
function partEdits(bytes: Buffer, part: ByteRange, assistant: boolean): ByteEdit[] {
  const type = findMember(bytes, part.start, 'type')
  const name = type && decodeString(bytes, type)
  if (type && name === 'text') {
    return [{ ...type, text: assistant ? '"output_text"' : '"input_text"' }]
  }
  if (!type || name !== 'image_url') return []
  return [{ ...type, text: '"input_image"' }, ...imageUrlEdits(bytes, part)]
}

/** The provider takes the URL as a plain string, and `detail` beside it. */
function imageUrlEdits(bytes: Buffer, part: ByteRange): ByteEdit[] {
  const image = findMember(bytes, part.start, 'image_url')
  const url = image && findMember(bytes, image.start, 'url')
  if (!image || !url) return []
  const detail = findMember(bytes, image.start, 'detail')
  const raw = (range: ByteRange) => bytes.toString('utf8', range.start, range.end)
  const text = detail ? `${raw(url)},"detail":${raw(detail)}` : raw(url)
  return [{ ...image, text }]
}

/** A string `prompt` goes to the provider as `instructions` (docs/wire/contract.md 3.1). */
function promptEdits({ bytes, json, members }: RequestBody, prompt: string): ByteEdit[] {
  const instructions = members.get('instructions')
  const whole = { start: bytes.indexOf('{'), end: bytes.lastIndexOf('}') + 1 }
  if (!instructions) return renameMember(bytes, whole, 'prompt', 'instructions')
  const text = typeof json.instructions === 'string' ? `${json.instructions}\n\n${prompt}` : prompt
  return [{ ...instructions, text: JSON.stringify(text) }, ...removeMember(bytes, whole, 'prompt')]
}

function renameMember(bytes: Buffer, object: ByteRange, from: string, to: string): ByteEdit[] {
  const edits: ByteEdit[] = []
  eachMember(bytes, object.start, (key) => {
    if (decodeString(bytes, key) === from) edits.push({ ...key, text: JSON.stringify(to) })
  })
  return edits
}

function stringMember(bytes: Buffer, object: ByteRange, name: string): string | undefined {
  const value = findMember(bytes, object.start, name)
  return value && bytes[value.start] === 0x22 ? decodeString(bytes, value) : undefined
}
