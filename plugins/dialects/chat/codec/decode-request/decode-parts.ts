import { wrong } from '../../../../../src/kit/checks.ts'
import { isObject, type JsonObject } from '../../../../../src/lib/json/object.ts'
import type {
  AudioPart,
  CacheMark,
  FilePart,
  ImagePart,
  TextPart,
  UserPart,
} from '../../../../../src/generate/content.ts'
import { readDataUrl } from '../../../../../src/generate/data-url.ts'
import { noteMembers } from './members.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import {
  isGiven,
  readName,
  readObject,
  readText,
  textMember,
} from '../../../../../src/kit/codec/read.ts'

/** Larger images are discarded (docs/wire/contract.md 3.2). Decoded bytes. */
export const largestImage = 8 * 1024 * 1024

const tooLarge = 'image above 8 MB'

/** Reads one content part; returns `undefined` where the part is dropped. */
type PartReader<Part> = (part: JsonObject, path: string, notes: Notes) => Part | undefined

/**
 * Reads content that is a string or a list of parts. `readers` has a reader for each type of part that
 * is allowed besides `text`. Throws `invalid_value` for other types.
 */
export function readContent<Part>(
  content: unknown,
  path: string,
  notes: Notes,
  readers: Readonly<Record<string, PartReader<Part>>>,
): (Part | TextPart)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) throw wrong(path, 'a string or an array')
  return content.flatMap((item: unknown, index): readonly (Part | TextPart)[] => {
    const at = `${path}[${index}]`
    const part = typeof item === 'string' ? { type: 'text', text: item } : readObject(item, at)
    const mark = readCacheMark(part, at, notes)
    const type = readName(part.type, `${at}.type`)
    if (type === 'text') return [{ ...textPart(part, at, notes), ...mark }]
    const reader = Object.hasOwn(readers, type) ? readers[type] : undefined
    if (!reader) throw wrong(`${at}.type`, `one of text, ${Object.keys(readers).join(', ')}`)
    const read = reader(part, at, notes)
    return read === undefined ? [] : [{ ...read, ...mark }]
  })
}

/** Readers for the parts of user messages. */
export const userReaders: Readonly<Record<string, PartReader<UserPart>>> = {
  image_url: imagePart,
  input_audio: audioPart,
  file: filePart,
}

/** Readers for the parts of tool messages. OpenAI documents only text there, but clients send images too. */
export const toolReaders: Readonly<Record<string, PartReader<ImagePart | FilePart>>> = {
  image_url: imagePart,
  file: filePart,
}

function textPart(part: JsonObject, path: string, notes: Notes): TextPart {
  noteMembers('text', part, path, notes)
  return { type: 'text', text: readText(part.text, `${path}.text`) }
}

/**
 * Reads the mark of a part or a tool up to which the prompt may be cached: OpenAI's own, or the one of Anthropic, which
 * servers of this API take for its models.
 */
export function readCacheMark(
  { prompt_cache_breakpoint: point, cache_control: control }: JsonObject,
  path: string,
  notes: Notes,
): { readonly cache?: CacheMark } {
  if (isObject(control)) {
    notes.uses('cache_points', `${path}.cache_control`)
    return { cache: control.ttl === '1h' ? { ttl: '1h' } : {} }
  }
  if (!isGiven(point)) return {}
  const at = `${path}.prompt_cache_breakpoint`
  if (!isObject(point)) {
    notes.extra(at, 'warn', 'only an object marks the end of what may be cached')
    return {}
  }
  notes.uses('cache_points', at)
  return { cache: {} }
}

function imagePart(part: JsonObject, path: string, notes: Notes): ImagePart | undefined {
  const at = `${path}.image_url`
  const image = typeof part.image_url === 'string' ? { url: part.image_url } : part.image_url
  const shown = readObject(image, at)
  const { url: address, detail } = shown
  noteMembers('image_url', part, path, notes)
  noteMembers('image', shown, at, notes)
  const url = readName(address, `${at}.url`)
  const data = readDataUrl(url)
  if (data && Buffer.byteLength(data.base64, 'base64') > largestImage) {
    notes.extra(path, 'warn', tooLarge)
    return undefined
  }
  notes.uses('image_input', at)
  if (!data) notes.uses('image_url', at)
  const known = detailOf(detail, `${at}.detail`)
  if (known && known !== 'auto') notes.uses('image_detail', `${at}.detail`)
  return {
    type: 'image',
    source: data ? { kind: 'data', base64: data.base64 } : { kind: 'url', url },
    ...(data?.mediaType !== undefined && { mediaType: data.mediaType }),
    ...(known && { detail: known }),
    ...(!data && { discarded: { above: largestImage, field: path, reason: tooLarge } }),
    field: at,
  }
}

const details = ['auto', 'low', 'high', 'original'] as const

function detailOf(value: unknown, path: string): ImagePart['detail'] {
  if (!isGiven(value)) return undefined
  const known = details.find((detail) => detail === value)
  if (!known) throw wrong(path, `one of ${details.join(', ')}`)
  return known
}

const audioTypes = new Map([
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
])

function audioPart(part: JsonObject, path: string, notes: Notes): AudioPart {
  const at = `${path}.input_audio`
  const audio = readObject(part.input_audio, at)
  const { data, format } = audio
  noteMembers('input_audio', part, path, notes)
  noteMembers('audio', audio, at, notes)
  const mediaType = audioTypes.get(readName(format, `${at}.format`))
  if (!mediaType) throw wrong(`${at}.format`, 'wav or mp3')
  notes.uses('audio_input', at)
  return {
    type: 'audio',
    source: { kind: 'data', base64: readName(data, `${at}.data`) },
    mediaType,
    field: at,
  }
}

function filePart(part: JsonObject, path: string, notes: Notes): FilePart | undefined {
  const at = `${path}.file`
  const file = readObject(part.file, at)
  noteMembers('file', part, path, notes)
  noteMembers('fileContent', file, at, notes)
  if (isGiven(file.file_id)) {
    notes.extra(`${at}.file_id`, 'native', 'only the account that stores a file knows its id')
    return undefined
  }
  const field = `${at}.file_data`
  const content = readName(file.file_data, field)
  const name = textMember(file, 'filename', at)
  notes.uses('file_input', at)
  if (/^https?:\/\//i.test(content)) {
    notes.uses('file_url', field)
    return { type: 'file', source: { kind: 'url', url: content }, ...(name && { name }), field }
  }
  const data = readDataUrl(content) ?? { base64: content, mediaType: typeByName(name) }
  return {
    type: 'file',
    source: { kind: 'data', base64: data.base64 },
    ...(data.mediaType && { mediaType: data.mediaType }),
    ...(name && { name }),
    field,
  }
}

function typeByName(name = ''): string | undefined {
  return /\.pdf$/i.test(name) ? 'application/pdf' : undefined
}
