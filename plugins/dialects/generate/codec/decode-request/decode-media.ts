import { wrong } from '../../../../../src/kit/checks.ts'
import type {
  AudioPart,
  FilePart,
  ImagePart,
  MediaSource,
} from '../../../../../src/generate/content.ts'
import type { PlaceNotes, Rule, Rules } from './notes.ts'
import type { FieldPlace } from './field-place.ts'

export type DecodedMedia = ImagePart | AudioPart | FilePart

const video: Rule = ['native', 'only the Gemini API watches videos']
const stored: Rule = ['native', 'only the Gemini API reads files by such an address']

const inlineRules: Rules = { mimeType: false, data: false, displayName: false }
const fileRules: Rules = { mimeType: false, fileUri: false, displayName: false }

const extensions: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  txt: 'text/plain',
  mp3: 'audio/mp3',
  wav: 'audio/wav',
}

/** `inlineData`. Undefined, and noted, where no other dialect has such a medium. */
export function readInline(inline: FieldPlace, notes: PlaceNotes): DecodedMedia | undefined {
  const base64 = inline.text('data')
  const mediaType = inline.text('mimeType')
  if (base64 === undefined) throw wrong(inline.nameOf('data'), 'a string')
  if (mediaType === undefined) throw wrong(inline.nameOf('mimeType'), 'a string')
  notes.others(inline, inlineRules)
  const source: MediaSource = { kind: 'data', base64: standardBase64(base64) }
  return mediaOf(inline, { source, mediaType, field: inline.path }, notes)
}

/** `fileData`: only what everybody can fetch is of use elsewhere. */
export function readFile(file: FieldPlace, notes: PlaceNotes): DecodedMedia | undefined {
  const url = file.text('fileUri')
  if (url === undefined) throw wrong(file.nameOf('fileUri'), 'a string')
  notes.others(file, fileRules)
  if (!isPublic(url)) {
    notes.lost(file.nameOf('fileUri'), stored)
    return undefined
  }
  const mediaType = file.text('mimeType') ?? typeOfUrl(url)
  const field = file.nameOf('fileUri')
  const part = mediaOf(file, { source: { kind: 'url', url }, mediaType, field }, notes)
  if (part) notes.uses(`${part.type}_url`, field)
  return part
}

interface Medium {
  readonly source: MediaSource
  readonly mediaType: string | undefined
  readonly field: string
}

function mediaOf(
  place: FieldPlace,
  { source, mediaType, field }: Medium,
  notes: PlaceNotes,
): DecodedMedia | undefined {
  const name = place.text('displayName')
  if (mediaType?.startsWith('video/')) {
    notes.lost(place.path, video)
    return undefined
  }
  if (mediaType?.startsWith('image/')) {
    notes.uses('image_input', place.path)
    return { type: 'image', source, mediaType, field }
  }
  if (mediaType?.startsWith('audio/')) {
    notes.uses('audio_input', place.path)
    return { type: 'audio', source, mediaType, field }
  }
  notes.uses('file_input', place.path)
  return {
    type: 'file',
    source,
    ...(mediaType !== undefined && { mediaType }),
    ...(name !== undefined && { name }),
    field,
  }
}

/** Files of the account, buckets and videos of YouTube are known to Google alone. */
function isPublic(url: string): boolean {
  if (!/^https?:\/\//i.test(url)) return false
  return (
    !/^https?:\/\/(?:generativelanguage\.googleapis\.com|(?:www\.|m\.)?youtube\.com|youtu\.be)\//i.test(
      url,
    ) && !/\/v1(?:beta|alpha)?\/files\/[^/]+$/.test(url)
  )
}

function typeOfUrl(url: string): string | undefined {
  const extension = /\.([a-z0-9]+)(?:[?#].*)?$/i.exec(url)?.[1]?.toLowerCase()
  return extension === undefined ? undefined : extensions[extension]
}

/** Protobuf takes the alphabet of URLs as well; other dialects do not. */
function standardBase64(base64: string): string {
  return /[-_]/.test(base64) ? base64.replaceAll('-', '+').replaceAll('_', '/') : base64
}
