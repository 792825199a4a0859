import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { CacheMark, FilePart, ImagePart, UserPart } from '../../../../src/generate/content.ts'
import { readFileText } from '../../../../src/kit/codec/file-text.ts'
import { essenceOf } from '../../../../src/lib/media-type.ts'
import { refused } from '../../../../src/kit/codec/read.ts'

/** The image types that accounts accept. */
const imageTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/** Encodes texts, images and documents as blocks. Leaves out blank texts, which accounts refuse, and audio. */
export function encodeParts(content: readonly UserPart[]): JsonObject[] {
  return content.flatMap((part) =>
    marked(encodePart(part), 'cache' in part ? part.cache : undefined),
  )
}

function encodePart(part: UserPart): JsonObject[] {
  if (part.type === 'text') return encodeText(part.text)
  if (part.type === 'audio') return []
  return part.type === 'image' ? encodeImage(part) : encodeFile(part)
}

/** Marks the last of some blocks as the end of a beginning of the prompt that may be cached. */
export function marked(blocks: JsonObject[], cache: CacheMark | undefined): JsonObject[] {
  const last = blocks.at(-1)
  if (!cache || !last) return blocks
  const cache_control = { type: 'ephemeral', ...(cache.ttl && { ttl: cache.ttl }) }
  return [...blocks.slice(0, -1), { ...last, cache_control }]
}

/** The most marks of a request that accounts accept. */
const mostMarks = 4

/** Leaves the last marks of these lists of blocks, which cache the longest beginnings. */
export function keepLastMarks(lists: readonly JsonObject[][]): void {
  const found = lists.flatMap((blocks) =>
    blocks.flatMap(({ cache_control, content }, index) => [
      ...(Array.isArray(content) ? marksOf(content as JsonObject[]) : []),
      ...(cache_control === undefined ? [] : [{ blocks, index }]),
    ]),
  )
  for (const { blocks, index } of found.slice(0, -mostMarks)) {
    const { cache_control: _, ...rest } = blocks[index]!
    blocks[index] = rest
  }
}

/** The marks within the result of a tool. */
function marksOf(blocks: JsonObject[]): { blocks: JsonObject[]; index: number }[] {
  return blocks.flatMap(({ cache_control }, index) =>
    cache_control === undefined ? [] : [{ blocks, index }],
  )
}

/** Encodes a text as a block, or as no block if it is blank. */
export function encodeText(text: string): JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }]
}

/** Encodes an image. Throws where accounts do not accept its type or URL. */
function encodeImage({ source, mediaType, field }: ImagePart): JsonObject[] {
  if (source.kind === 'url') {
    return [{ type: 'image', source: { type: 'url', url: checkUrl(source.url, field) } }]
  }
  const type = essenceOf(mediaType ?? 'image/png')
  if (source.kind === 'text' || !imageTypes.has(type)) {
    throw refused(`The accounts of this model accept no images of type "${type}".`, field)
  }
  if (source.base64 === '') return []
  const { base64: data } = source
  return [{ type: 'image', source: { type: 'base64', media_type: type, data } }]
}

function encodeFile(file: FilePart): JsonObject[] {
  const source = sourceOf(file)
  if (!source) return []
  const { title = file.name, context } = file
  return [
    {
      type: 'document',
      source,
      ...(title !== undefined && title !== '' && { title }),
      ...(context !== undefined && context !== '' && { context }),
    },
  ]
}

/** Encodes the source of a document: a PDF as bytes or URL, or any text. Throws for other types. */
function sourceOf(file: FilePart): JsonObject | undefined {
  const { source, mediaType = 'application/pdf', field } = file
  const type = essenceOf(mediaType)
  const text = readFileText(file)
  if (text !== undefined) return text === '' ? undefined : textSource(text)
  if (type === 'application/pdf' && source.kind !== 'text') {
    if (source.kind === 'url') return { type: 'url', url: checkUrl(source.url, field) }
    const { base64: data } = source
    return data === '' ? undefined : { type: 'base64', media_type: type, data }
  }
  throw refused(
    source.kind === 'url'
      ? `The accounts of this model accept only URLs of PDFs, not of "${type}".`
      : `The accounts of this model accept no files of type "${type}".`,
    field,
  )
}

function textSource(data: string): JsonObject {
  return { type: 'text', media_type: 'text/plain', data }
}

function checkUrl(url: string, field: string | undefined): string {
  if (/^https?:\/\//i.test(url)) return url
  throw refused('The accounts of this model accept only URLs that begin with https://.', field)
}
