import { checkWord, wrong } from '../../../../../src/kit/checks.ts'
import { type JsonObject, isObject } from '../../../../../src/lib/json/object.ts'
import type {
  AudioPart,
  FilePart,
  ImagePart,
  TextPart,
  UserPart,
} from '../../../../../src/generate/content.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { textMember } from '../../../../../src/kit/codec/read.ts'
import { type Kind, noteMembers } from './members.ts'
import { readUrl } from '../media.ts'
import type { Notes } from '../../../../../src/generate/notes.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'

type Reader = (json: JsonObject, path: string, notes: Notes) => UserPart | undefined

const readers: ReadonlyMap<string, Reader> = new TextMap<Reader, Kind>([
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

/** Returns the parts of a message or a tool output, which is a string or a list of parts. */
export function readContent(content: unknown, path: string, notes: Notes): UserPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return eachPart(content, path, (json, at) => readPart(json, at, notes))
}

/**
 * Reads every part of a list. `read` returns `undefined` for a part that it has noted as
 * unsupported.
 */
export function eachPart<T>(
  content: unknown,
  path: string,
  read: (json: JsonObject, path: string) => T | undefined,
): T[] {
  if (!Array.isArray(content)) throw wrong(path, 'a string or an array of parts')
  return content.flatMap((json: unknown, index) => {
    const at = `${path}[${index}]`
    if (stringAt(json, 'type') === undefined) throw wrong(at, 'an object with a `type`')
    return read(json as JsonObject, at) ?? []
  })
}

/**
 * Returns a part in the neutral model; `undefined`, with a note, if only this dialect supports it.
 */
export function readPart(json: JsonObject, path: string, notes: Notes): UserPart | undefined {
  const type = String(json.type)
  const read = readers.get(type)
  if (read) {
    noteMembers(type as Kind, json, path, notes)
    const part = read(json, path, notes)
    const isMarked = isCacheMarked(json, path, notes)
    return part && isMarked && part.type !== 'audio' ? { ...part, cache: {} } : part
  }
  notes.native(path, `only the Responses API has parts of the type ${type}`)
  return undefined
}

/** Whether the prompt may be cached up to a part. */
function isCacheMarked(
  { prompt_cache_breakpoint: mark }: JsonObject,
  path: string,
  notes: Notes,
): boolean {
  const at = `${path}.prompt_cache_breakpoint`
  if (isObject(mark)) notes.uses('cache_points', at)
  else if (mark) notes.extra(at, 'warn', 'only an object marks the end of what may be cached')
  return isObject(mark)
}

function readText(json: JsonObject, path: string): TextPart {
  const text = stringAt(json, 'text')
  if (text === undefined) throw wrong(`${path}.text`, 'a string')
  return { type: 'text', text }
}

const details = ['auto', 'low', 'high', 'original'] as const

/** `image_url` is a string at the provider and an object with `url` and `detail` in the contract. */
function readImage(json: JsonObject, path: string, notes: Notes): ImagePart | undefined {
  const nested = objectAt(json, 'image_url')
  const url = stringAt(json, 'image_url') ?? stringAt(nested, 'url')
  if (nested) noteMembers('address', nested, `${path}.image_url`, notes)
  if (url === undefined) return noteFileId(json, path, notes, 'image_url')
  const isNested = nested?.detail !== undefined
  const detail = isNested ? detailOf(nested, `${path}.image_url`) : detailOf(json, path)
  const medium = readUrl(url)
  notes.uses('image_input', path)
  const field = `${path}.image_url`
  if (medium.source.kind === 'url') notes.uses('image_url', field)
  if (detail && detail !== 'auto') {
    notes.uses('image_detail', `${isNested ? field : path}.detail`)
  }
  return { type: 'image', ...medium, ...(detail && { detail }), field }
}

function detailOf(json: JsonObject, path: string): ImagePart['detail'] {
  checkWord(json, 'detail', details, path)
  return details.find((word) => word === json.detail)
}

function readFile(json: JsonObject, path: string, notes: Notes): FilePart | undefined {
  const url = stringAt(json, 'file_url')
  const data = stringAt(json, 'file_data')
  if (url === undefined && data === undefined) return noteFileId(json, path, notes, 'file_data')
  const name = textMember(json, 'filename', path)
  const medium = data === undefined ? readUrl(url ?? '') : readData(data, name)
  notes.uses('file_input', path)
  const field = `${path}.${data === undefined ? 'file_url' : 'file_data'}`
  if (medium.source.kind === 'url') notes.uses('file_url', field)
  if (json.detail && json.detail !== 'auto')
    notes.extra(`${path}.detail`, 'warn', 'other APIs choose the detail themselves')
  return { type: 'file', ...medium, ...(name !== undefined && { name }), field }
}

/** Clients may send base64 without a data URL; the file name or first bytes then give the type. */
function readData(data: string, name = ''): Pick<FilePart, 'source' | 'mediaType'> {
  if (data.startsWith('data:')) return readUrl(data)
  const isPdf = /\.pdf$/i.test(name) || data.startsWith('JVBERi')
  return { source: { kind: 'data', base64: data }, ...(isPdf && { mediaType: 'application/pdf' }) }
}

function readAudio(json: JsonObject, path: string, notes: Notes): AudioPart {
  const nested = objectAt(json, 'input_audio')
  if (nested) noteMembers('audio', nested, `${path}.input_audio`, notes)
  const audio = nested ?? json
  const base64 = stringAt(audio, 'data')
  const format = textMember(audio, 'format', nested ? `${path}.input_audio` : path)
  if (base64 === undefined) throw wrong(`${path}.input_audio.data`, 'a string')
  notes.uses('audio_input', path)
  const mediaType = `audio/${format === 'mp3' ? 'mpeg' : (format ?? 'wav')}`
  return { type: 'audio', source: { kind: 'data', base64 }, mediaType, field: path }
}

/** Notes a file that is named by its id only. Throws if it has no id either. */
function noteFileId(json: JsonObject, path: string, notes: Notes, field: string): undefined {
  if (stringAt(json, 'file_id') === undefined) throw wrong(`${path}.${field}`, 'a string')
  notes.native(`${path}.file_id`, 'only the account that received the uploaded file has it')
  return undefined
}
