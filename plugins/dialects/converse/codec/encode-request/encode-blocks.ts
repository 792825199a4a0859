import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import type {
  AudioPart,
  CacheMark,
  ImagePart,
  ReasoningPart,
  UserPart,
} from '../../../../../src/generate/content.ts'
import { refused } from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { essenceOf } from '../../../../../src/lib/media-type.ts'
import type { BlockWriter, Message, WrittenResult } from '../../../shared/blocks/encode-turns.ts'
import { converseId } from '../signatures.ts'
import { bytesOf, DocumentWriter } from './encode-documents.ts'
import type { ModelTraits } from './families.ts'

/** The image types that accounts accept, and their formats. */
const imageFormats = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
])

const audioFormats = new Map([
  ['audio/aac', 'aac'],
  ['audio/flac', 'flac'],
  ['audio/m4a', 'm4a'],
  ['audio/mp3', 'mp3'],
  ['audio/mp4', 'mp4'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['audio/opus', 'opus'],
  ['audio/pcm', 'pcm'],
  ['audio/wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/webm', 'webm'],
  ['audio/x-wav', 'wav'],
])

/** Writes the content blocks of one request. */
export class ConverseBlocks implements BlockWriter {
  readonly api = 'Converse API'
  readonly signedBy = converseId
  readonly text = encodeText
  readonly isReasoning = isThinking
  readonly #documents: DocumentWriter
  readonly #caches: ModelTraits['caches']

  /** `titleField`: the client's field with the title of a document. */
  constructor(
    { caches }: Pick<ModelTraits, 'caches'>,
    titleField: string | undefined,
    drop: RecordLoss,
  ) {
    this.#documents = new DocumentWriter(titleField, drop)
    this.#caches = caches
  }

  parts(content: readonly UserPart[]): JsonObject[] {
    return content.flatMap((part) => {
      const blocks = this.#encode([part])
      const isMarked = blocks.length > 0 && 'cache' in part && this.#takes(part)
      return isMarked ? [...blocks, cachePoint(part.cache)] : blocks
    })
  }

  reasoning({ text, form }: Pick<ReasoningPart, 'text' | 'form'>, signature: string): JsonObject {
    return form === 'redacted'
      ? { reasoningContent: { redactedContent: signature } }
      : { reasoningContent: { reasoningText: { text, signature } } }
  }

  toolUse(toolUseId: string | undefined, name: string, input: JsonObject): JsonObject {
    return { toolUse: { toolUseId, name, input } }
  }

  #takes({ type }: UserPart): boolean {
    return this.#caches === 'all' || (this.#caches === 'texts' && type === 'text')
  }

  #encode(content: readonly UserPart[]): JsonObject[] {
    return content.flatMap((part) => {
      switch (part.type) {
        case 'text':
          return encodeText(part.text)
        case 'image':
          return encodeMedium('image', part, imageFormats)
        case 'audio':
          return encodeMedium('audio', part, audioFormats)
        case 'file':
          return this.#documents.encode(part)
      }
    })
  }

  /** A cache point stands behind the result, never inside of it. */
  result(toolUseId: string, { content, failed, cache }: WrittenResult): JsonObject[] {
    const blocks = this.#encode(content)
    const mark = cache ?? content.findLast((part) => part.cache)?.cache
    const toolResult = {
      toolUseId,
      content: blocks.length > 0 ? blocks : nothing,
      ...(failed && { status: 'error' }),
    }
    return mark && this.#caches === 'all' ? [{ toolResult }, cachePoint(mark)] : [{ toolResult }]
  }
}

/** A block up to which the prompt may be cached. */
export function cachePoint({ ttl }: CacheMark = {}): JsonObject {
  return { cachePoint: { type: 'default', ...(ttl && { ttl }) } }
}

/** Models of Amazon refuse cache points beside results of tools: such messages lose theirs. */
export function keepPointsFromResults(messages: readonly Message[]): void {
  for (const { content } of messages) {
    if (!content.some((block) => 'toolResult' in block)) continue
    const kept = content.filter((block) => !('cachePoint' in block))
    content.splice(0, content.length, ...kept)
  }
}

/** The content of a result without output. */
const nothing = [{ json: {} }]

/** Encodes a text as a block, or as no block if it is blank: accounts refuse that. */
export function encodeText(text: string): JsonObject[] {
  return text.trim() === '' ? [] : [{ text }]
}

/** Whether a block is reasoning. */
export function isThinking(block: JsonObject | undefined): boolean {
  return block?.reasoningContent !== undefined
}

/** Encodes an image or audio. Throws where accounts do not accept its type, or where its bytes are not there. */
function encodeMedium(
  kind: 'image' | 'audio',
  { source, mediaType, field }: ImagePart | AudioPart,
  formats: ReadonlyMap<string, string>,
): JsonObject[] {
  const type = essenceOf(mediaType ?? 'image/png')
  const format = formats.get(type)
  if (format === undefined) {
    throw refused(`The accounts of this model accept no ${kind} of type "${type}".`, field)
  }
  const bytes = bytesOf(source, field)
  return bytes === '' ? [] : [{ [kind]: { format, source: { bytes } } }]
}
