import { wrong } from '../../../../src/kit/checks.ts'
import { GatewayError } from '../../../../src/contract/errors.ts'
import { type ByteRange, decodeString, passMembers } from '../../../../src/lib/json/scan.ts'
import { endOfValue } from '../../../../src/lib/json/scan.ts'
import { TextMap, TextSet } from '../../../../src/lib/text-map.ts'

/** A message of a client: its members as they stand in its bytes, and those that mean something to the socket. */
export interface Message {
  readonly bytes: Buffer
  readonly type: string
  /** The lane. Absent: the one without a name. */
  readonly streamId: string | undefined
  /** Whether the client wants no output: only the state that a later message continues. */
  readonly isPreparation: boolean
  readonly model: string | undefined
  readonly previousId: string | undefined
  /** Whether the account shall not store the response, so that only the socket knows it. */
  readonly isUnstored: boolean
  readonly members: readonly Member[]
  readonly input: ByteRange | undefined
}

interface Member {
  readonly name: string
  readonly range: ByteRange
  readonly value: ByteRange
}

/** Members that the body of a request over HTTP has not, or that the socket decides. */
const ofSocket = new TextSet(['type', 'stream_id', 'generate', 'stream', 'background'])

/** The members that are read, each of which a message has once. */
const read = new TextSet([...ofSocket.values(), 'model', 'previous_response_id', 'store', 'input'])

const validStreamId = /^[\w.-]{1,256}$/

/** Reads a message. Throws `GatewayError` if it is no object, or no member of the socket's has its type. */
export function readMessage(bytes: Buffer): Message {
  const members: Member[] = []
  const known = new TextMap<ByteRange>()
  const at = bytes.findIndex((byte) => !isSpace(byte))
  if (bytes[at] !== 0x7b) throw notJson()
  let end: number
  try {
    end = passMembers(bytes, at, (key, start) => {
      const value = { start, end: endOfValue(bytes, start) }
      const name = decodeString(bytes, key)
      if (read.has(name) && known.has(name)) throw duplicate(name)
      if (read.has(name)) known.set(name, value)
      members.push({ name, range: { start: key.start, end: value.end }, value })
      return value.end
    })
  } catch (error) {
    throw error instanceof SyntaxError ? notJson() : error
  }
  if (bytes[end - 1] !== 0x7d || !bytes.subarray(end).every(isSpace)) throw notJson()
  const valueOf = (name: string) => {
    const range = known.get(name)
    return range && scalarIn(bytes, range)
  }
  const textOf = (name: string) => {
    const value = valueOf(name)
    return typeof value === 'string' ? value : undefined
  }
  const type = textOf('type')
  if (type === undefined) throw wrong('type', 'a string')
  const streamId = valueOf('stream_id')
  if (streamId !== undefined && !(typeof streamId === 'string' && validStreamId.test(streamId)))
    throw invalidStreamId()
  if (valueOf('background') === true)
    throw wrong('background', 'left out: a socket has no background responses')
  return {
    bytes,
    type,
    streamId,
    isPreparation: valueOf('generate') === false,
    model: textOf('model'),
    previousId: textOf('previous_response_id'),
    isUnstored: valueOf('store') === false,
    members,
    input: known.get('input'),
  }
}

/** The items of an input, as JSON texts with commas between them. Throws `GatewayError` for another type. */
export function itemsOf({ bytes, input }: Message): Buffer {
  if (!input) return nothing
  if (bytes[input.start] === 0x22) {
    const text = bytes.subarray(input.start, input.end)
    return Buffer.concat([beforeText, text, behindText])
  }
  if (bytes[input.start] !== 0x5b) throw wrong('input', 'a string or a list')
  const items = bytes.subarray(input.start + 1, input.end - 1)
  return items.every(isSpace) ? nothing : items
}

const nothing = Buffer.alloc(0)
const beforeText = Buffer.from('{"type":"message","role":"user","content":')
const behindText = Buffer.from('}')

/** Joins lists of items. */
export function joinItems(...lists: readonly Buffer[]): Buffer {
  const parts = lists.filter(({ length }) => length > 0)
  return Buffer.concat(parts.flatMap((list, index) => (index === 0 ? [list] : [comma, list])))
}

const comma = Buffer.from(',')

/**
 * The body of the request over HTTP that a message stands for: its members byte for byte. With `history`, the items of the
 * response that it continues, which only the socket knows: they stand before its own, in place of the id.
 */
export function bodyOf(message: Message, history?: Buffer): Buffer {
  const { bytes, members } = message
  const parts: Buffer[] = []
  for (const { name, range } of members) {
    if (ofSocket.has(name) || (history && continued.has(name))) continue
    parts.push(bytes.subarray(range.start, range.end), comma)
  }
  if (history) parts.push(beforeItems, joinItems(history, itemsOf(message)), behindItems)
  return Buffer.concat([openBrace, ...parts, asStream])
}

const continued = new TextSet(['previous_response_id', 'input'])
const openBrace = Buffer.from('{')
const beforeItems = Buffer.from('"input":[')
const behindItems = Buffer.from('],')
const asStream = Buffer.from('"stream":true}')

/** The longest value, in bytes, that a member of the socket's may have. */
const longestScalar = 4096

/** A value that is no object and no list. Others, and those that are no JSON, are `null`: the request is refused for them. */
function scalarIn(bytes: Buffer, { start, end }: ByteRange): unknown {
  if (end - start > longestScalar || bytes[start] === 0x7b || bytes[start] === 0x5b) return null
  try {
    return JSON.parse(bytes.toString('utf8', start, end))
  } catch {
    return null
  }
}

/** Whether a byte is white space of JSON. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function notJson(): GatewayError {
  return new GatewayError('invalid_json', 'A message is a JSON object.')
}

function duplicate(name: string): GatewayError {
  return new GatewayError('duplicate_parameter', `\`${name}\` occurs twice.`, { param: name })
}

function invalidStreamId(): GatewayError {
  const message =
    'A `stream_id` has 1 to 256 characters: letters, digits, underscores, hyphens and periods.'
  return new GatewayError('invalid_value', message, {
    param: 'stream_id',
    upstreamCode: 'invalid_stream_id',
  })
}
