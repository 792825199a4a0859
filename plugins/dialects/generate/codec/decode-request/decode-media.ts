import { wrong } from '../../../../../src/kit/checks.ts'
import type {
  AudioPart,
  FilePart,
  ImagePart,
  MediaSource,
} from '../../../../../src/generate/content.ts'
import { canonicalType } from '../../../../../src/lib/media-type.ts'
import type { RequestNotes, Rule, Rules } from './notes.ts'
import type { RequestObject } from './request-object.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'

/** The parts that media become. */
type DecodedMedia = ImagePart | AudioPart | FilePart

const video: Rule = ['native', 'only the Gemini API accepts videos']
const stored: Rule = ['native', 'only the Gemini API reads files from such a URL']

const inlineRules: Rules = { mimeType: false, data: false, displayName: false }
const fileRules: Rules = { mimeType: false, fileUri: false, displayName: false }

const extensions = new TextMap<string>([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['mp3', 'audio/mp3'],
  ['wav', 'audio/wav'],
])

/** Reads `inlineData`. Notes a loss and returns `undefined` where no other dialect supports the medium. */
export function readInline(inline: RequestObject, notes: RequestNotes): DecodedMedia | undefined {
  const base64 = inline.text('data')
  const mediaType = inline.text('mimeType')
  if (base64 === undefined) throw wrong(inline.pathOf('data'), 'a string')
  if (mediaType === undefined) throw wrong(inline.pathOf('mimeType'), 'a string')
  notes.noteOthers(inline, inlineRules)
  const source: MediaSource = { kind: 'data', base64: standardBase64(base64) }
  const medium = { source, mediaType: canonicalType(mediaType), field: inline.path }
  return mediaOf(inline, medium, notes)
}

/** Reads `fileData`. Other dialects support only public URLs: others are a loss. */
export function readFile(file: RequestObject, notes: RequestNotes): DecodedMedia | undefined {
  const url = file.text('fileUri')
  if (url === undefined) throw wrong(file.pathOf('fileUri'), 'a string')
  notes.noteOthers(file, fileRules)
  if (!isPublic(url)) {
    notes.noteLoss(file.pathOf('fileUri'), stored)
    return undefined
  }
  const stated = file.text('mimeType')
  const mediaType = stated === undefined ? typeOfUrl(url) : canonicalType(stated)
  const field = file.pathOf('fileUri')
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
  object: RequestObject,
  { source, mediaType, field }: Medium,
  notes: RequestNotes,
): DecodedMedia | undefined {
  const name = object.text('displayName')
  if (mediaType?.startsWith('video/')) {
    notes.noteLoss(object.path, video)
    return undefined
  }
  if (mediaType?.startsWith('image/')) {
    notes.uses('image_input', object.path)
    return { type: 'image', source, mediaType, field }
  }
  if (mediaType?.startsWith('audio/')) {
    notes.uses('audio_input', object.path)
    return { type: 'audio', source, mediaType, field }
  }
  notes.uses('file_input', object.path)
  return {
    type: 'file',
    source,
    ...(mediaType !== undefined && { mediaType }),
    ...(name !== undefined && { name }),
    field,
  }
}

/** Whether a URL is public. Only Google can read files of an account, buckets and YouTube videos. */
function isPublic(url: string): boolean {
  if (!/^https?:\/\//i.test(url)) return false
  return (
    !/^https?:\/\/(?:generativelanguage\.googleapis\.com|(?:www\.|m\.)?youtube\.com|youtu\.be)\//i.test(
      url,
    ) && !/\/v1(?:beta|alpha)?\/files\/[^/]+$/.test(url)
  )
}

function typeOfUrl(url: string): string | undefined {
  const [path = ''] = url.split(/[?#]/, 1)
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return extensions.get(extension)
}

/** Converts base64url, which Protobuf accepts too, to the base64 of other dialects. */
function standardBase64(base64: string): string {
  return /[-_]/.test(base64) ? base64.replaceAll('-', '+').replaceAll('_', '/') : base64
}
