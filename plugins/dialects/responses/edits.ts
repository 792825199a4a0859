import { append } from '../../../src/lib/append.ts'
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
  hasString,
} from '../../../src/lib/json/scan.ts'
import { responsesId, signatureOf } from './codec/reasoning.ts'

/**
 * Returns edits that remove the reasoning items whose signature belongs to another dialect. A wrapped
 * signature of this dialect is unwrapped: its value and id replace the item's.
 */
function reasoningEdits(bytes: Buffer, items: ByteRange, list: readonly unknown[]): ByteEdit[] {
  return editElements(bytes, items, (item, index) => editReasoning(bytes, item, list[index]))
}

function editReasoning(bytes: Buffer, at: ByteRange, item: unknown): ElementEdit {
  const token = stringAt(item, 'encrypted_content')
  if (token === undefined || !isWrapped(token)) return []
  const signature = signatureOf(item as Record<string, unknown>)
  if (signature?.dialect !== responsesId) return 'remove'
  return [
    ...replaceMember(bytes, at, 'encrypted_content', signature.value),
    ...(signature.id === undefined ? [] : replaceMember(bytes, at, 'id', signature.id)),
  ]
}

function replaceMember(bytes: Buffer, item: ByteRange, name: string, value: string): ByteEdit[] {
  const member = findMember(bytes, item.start, name)
  return member ? [{ ...member, text: JSON.stringify(value) }] : []
}

/** Matches the part types of docs/wire/contract.md that providers do not accept. */
const contractParts = /"type"\s*:\s*"(?:text|image_url)"/

/**
 * Returns the edits of a native request: contract spellings become the provider's, and members that
 * only SDK helpers add and reasoning of other dialects' accounts are removed.
 */
export function responsesEdits(body: RequestBody): ByteEdit[] {
  const { prompt } = body.json
  const edits = itemEdits(body, 'input')
  return typeof prompt === 'string' ? [...promptEdits(body, prompt), ...edits] : edits
}

/**
 * Returns the same edits for the items in one member of the body. It walks the items only if a
 * search finds a candidate.
 */
export function itemEdits(body: RequestBody, member: string): ByteEdit[] {
  const { bytes, json, members } = body
  const items = members.get(member)
  const list = json[member]
  if (!items || !Array.isArray(list)) return []
  const edits = partTypeEdits(body, items)
  return containsWrapped(body)
    ? outermost([...edits, ...reasoningEdits(bytes, items, list)])
    : edits
}

function partTypeEdits(body: RequestBody, items: ByteRange): ByteEdit[] {
  const { bytes } = body
  const edits: ByteEdit[] = []
  const hasParsed = hasString(body, '"parsed')
  const hasContractParts = mayHaveContractParts(body, items)
  if (!hasParsed && !hasContractParts) return edits
  eachElement(bytes, items.start, (item) => {
    if (hasParsed) append(edits, removeMember(bytes, item, 'parsed_arguments'))
    const assistant = stringMember(bytes, item, 'role') === 'assistant'
    const content = findMember(bytes, item.start, 'content')
    if (!content) return
    eachElement(bytes, content.start, (part) => {
      if (hasParsed) append(edits, removeMember(bytes, part, 'parsed'))
      if (hasContractParts) append(edits, partEdits(bytes, part, assistant))
    })
  })
  return edits
}

function mayHaveContractParts(body: RequestBody, { start, end }: ByteRange): boolean {
  // A large text is not decoded for a look at a few words of it.
  if (body.isLarge) return hasString(body, '"text"') || hasString(body, '"image_url"')
  return contractParts.test(body.bytes.toString('latin1', start, end))
}

/**
 * Renames the parts `{type: 'text'}` and `{type: 'image_url', image_url: {url}}`
 * (docs/wire/contract.md 3.1).
 */
function partEdits(bytes: Buffer, part: ByteRange, assistant: boolean): ByteEdit[] {
  const type = findMember(bytes, part.start, 'type')
  const name = type && decodeString(bytes, type)
  if (type && name === 'text') {
    return [{ ...type, text: assistant ? '"output_text"' : '"input_text"' }]
  }
  if (!type || name !== 'image_url') return []
  return [{ ...type, text: '"input_image"' }, ...imageUrlEdits(bytes, part)]
}

/** The provider expects `image_url` to be a string, with `detail` as its sibling. */
function imageUrlEdits(bytes: Buffer, part: ByteRange): ByteEdit[] {
  const image = findMember(bytes, part.start, 'image_url')
  const url = image && findMember(bytes, image.start, 'url')
  if (!image || !url) return []
  const detail = findMember(bytes, image.start, 'detail')
  const raw = (range: ByteRange) => bytes.toString('utf8', range.start, range.end)
  const text = detail ? `${raw(url)},"detail":${raw(detail)}` : raw(url)
  return [{ ...image, text }]
}

/** Appends a string `prompt` to `instructions` (docs/wire/contract.md 3.1). */
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
