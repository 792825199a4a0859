import { wrong } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type {
  AudioPart,
  FilePart,
  ImagePart,
  TextPart,
  UserPart,
} from '../../../../../src/generate/content.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { type Kind, noteMembers } from './members.ts'
import { readUrl } from '../media.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'

type Reader = (said: JsonObject, path: string, notes: Notes) => UserPart | undefined

const readers: ReadonlyMap<string, Reader> = new Map<Kind, Reader>([
  ['input_text', readText],
  ['output_text', readText],
  ['text', readText],
  ['summary_text', readText],
  ['reasoning_text', readText],
  ['input_image', readImage],
  ['image_url', readImage],
  ['input_file', readFile],
  ['input_audio', readAudio],
])

/** What a message or a tool's output says: a string, or a list of parts. */
export function readContent(content: unknown, path: string, notes: Notes): UserPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return eachPart(content, path, (said, at) => readPart(said, at, notes))
}

/** Reads every part of a list; what is `undefined` has been noted. */
export function eachPart<T>(
  content: unknown,
  path: string,
  read: (said: JsonObject, path: string) => T | undefined,
): T[] {
  if (!Array.isArray(content)) throw wrong(path, 'a string or an array of parts')
  return content.flatMap((said: unknown, index) => {
    const at = `${path}[${index}]`
    if (stringAt(said, 'type') === undefined) throw wrong(at, 'an object with a `type`')
    return read(said as JsonObject, at) ?? []
  })
}

/** One part in neutral words; `undefined` for one that only this dialect has. */
export function readPart(said: JsonObject, path: string, notes: Notes): UserPart | undefined {
  if (said.prompt_cache_breakpoint) {
    notes.extra(`${path}.prompt_cache_breakpoint`, 'silent', 'other APIs cache in their own way')
  }
  const type = String(said.type)
  const read = readers.get(type)
  if (read) {
    noteMembers(type as Kind, said, path, notes)
    return read(said, path, notes)
  }
  notes.native(path, `only the Responses API has parts of the type ${type}`)
  return undefined
}

function readText(said: JsonObject, path: string): TextPart {
  const told = stringAt(said, 'text')
  if (told === undefined) throw wrong(`${path}.text`, 'a string')
  return { type: 'text', text: told }
}

const details = ['auto', 'low', 'high', 'original'] as const

/** The provider's own form has the URL as a string, the contract's in an object beside `detail`. */
function readImage(said: JsonObject, path: string, notes: Notes): ImagePart | undefined {
  const nested = objectAt(said, 'image_url')
  const url = stringAt(said, 'image_url') ?? stringAt(nested, 'url')
  if (nested) noteMembers('address', nested, `${path}.image_url`, notes)
  if (url === undefined) return withoutBytes(said, path, notes, 'image_url')
  const detail = details.find((word) => word === (nested?.detail ?? said.detail))
  const medium = readUrl(url)
  notes.uses('image_input', path)
  const field = `${path}.image_url`
  if (medium.source.kind === 'url') notes.uses('image_url', field)
  if (detail && detail !== 'auto') notes.uses('image_detail', `${path}.detail`)
  return { type: 'image', ...medium, ...(detail && { detail }), field }
}

function readFile(said: JsonObject, path: string, notes: Notes): FilePart | undefined {
  const url = stringAt(said, 'file_url')
  const data = stringAt(said, 'file_data')
  if (url === undefined && data === undefined) return withoutBytes(said, path, notes, 'file_data')
  const name = stringAt(said, 'filename')
  const medium = data === undefined ? readUrl(url ?? '') : readData(data, name)
  notes.uses('file_input', path)
  const field = `${path}.${data === undefined ? 'file_url' : 'file_data'}`
  if (medium.source.kind === 'url') notes.uses('file_url', field)
  if (said.detail) notes.extra(`${path}.detail`, 'silent', 'other APIs choose it themselves')
  return { type: 'file', ...medium, ...(name !== undefined && { name }), field }
}

/** Some clients send the bytes alone; then the name may tell what they are. */
function readData(data: string, name = ''): Pick<FilePart, 'source' | 'mediaType'> {
  if (data.startsWith('data:')) return readUrl(data)
  const isPdf = /\.pdf$/i.test(name) || data.startsWith('JVBERi')
  return { source: { kind: 'data', base64: data }, ...(isPdf && { mediaType: 'application/pdf' }) }
}

function readAudio(said: JsonObject, path: string, notes: Notes): AudioPart {
  const nested = objectAt(said, 'input_audio')
  if (nested) noteMembers('sound', nested, `${path}.input_audio`, notes)
  const audio = nested ?? said
  const base64 = stringAt(audio, 'data')
  const format = stringAt(audio, 'format')
  if (base64 === undefined) throw wrong(`${path}.input_audio.data`, 'a string')
  notes.uses('audio_input', path)
  const mediaType = `audio/${format === 'mp3' ? 'mpeg' : (format ?? 'wav')}`
  return { type: 'audio', source: { kind: 'data', base64 }, mediaType, field: path }
}

function withoutBytes(said: JsonObject, path: string, notes: Notes, field: string): undefined {
  if (stringAt(said, 'file_id') === undefined) throw wrong(`${path}.${field}`, 'a string')
  notes.native(`${path}.file_id`, 'only the account that a file was uploaded to has it')
  return undefined
}
