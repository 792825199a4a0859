import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

import type { Caller } from '../../../src/contract/request.ts'
import type { Files } from '../../../src/contract/files.ts'
import { type FormPartHead, encodePartHead } from '../../../src/body/form/encode.ts'
import type { ImageType } from '../../../src/lib/image-type.ts'
import type { Form, FormPart } from '../../../src/contract/body.ts'
import type { StreamedBody } from '../../../src/contract/outbound.ts'
import { type KnownFile, rereadFile } from '../../../src/storage/read-opened.ts'
import type { CheckedImage, InputImages } from './input-images.ts'

/**
 * Whether accounts accept a form unchanged: its images are named `image` or `image[]` and in order,
 * every part has the type of its bytes, and no part is the path of an upload.
 */
export function isPlainForm({ images, mask }: InputImages<CheckedImage>): boolean {
  const parts = images.map(({ place }) => ('part' in place ? place.part?.start : undefined) ?? 0)
  const isOrdered = parts.every((start, index) => index === 0 || start > (parts[index - 1] ?? 0))
  const isNamed = images.every(({ place }) => {
    const name = 'part' in place ? place.part?.name : undefined
    return name === 'image[]' || (name === 'image' && images.length === 1)
  })
  return isOrdered && isNamed && [...images, ...(mask ? [mask] : [])].every(hasDeclaredType)
}

function hasDeclaredType({ place, facts }: CheckedImage): boolean {
  if (place.kind === 'elsewhere') return true
  if (place.kind !== 'part' || place.part.filename === '') return false
  const [declared = ''] = place.part.type?.split(';') ?? []
  return declared.trim().toLowerCase() === facts?.type
}

/** Options of `rewriteForm`. */
interface FormRewrite {
  readonly form: Form
  readonly inputs: InputImages<CheckedImage>
  /** The upstream model. */
  readonly model: string
  /** Names of fields to leave out. */
  readonly omitted: readonly string[]
  readonly files: Files
  readonly caller: Caller
}

/** Rewrites a form for the account. Every attempt reads the contents again from their source. */
export function rewriteForm(options: FormRewrite): { type: string; body: StreamedBody } {
  // A random boundary cannot occur in an upload's bytes.
  const boundary = `dragoman-${randomBytes(16).toString('hex')}`
  const pieces = piecesOf(options, boundary)
  const length = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: {
      length,
      open() {
        const stream = Readable.from(contents(pieces, options), { objectMode: false })
        // The sender handles errors; this listener only prevents a crash after the sender is gone.
        return stream.on('error', () => {})
      },
    },
  }
}

type Piece = Buffer | { readonly part: FormPart } | KnownFile

function sizeOf(piece: Piece): number {
  if (Buffer.isBuffer(piece)) return piece.length
  return 'part' in piece ? piece.part.end - piece.part.start : piece.size
}

/** Splits the form into pieces; all images follow each other at the position of the first one. */
function piecesOf({ form, inputs, model, omitted }: FormRewrite, boundary: string): Piece[] {
  const { images, mask } = inputs
  const imageParts = new Set(images.map(({ place }) => partOf(place)))
  const pieces: Piece[] = []
  const add = (head: FormPartHead, ...content: Piece[]) => {
    pieces.push(
      Buffer.from(`--${boundary}\r\n${encodePartHead(head)}`),
      ...content,
      Buffer.from('\r\n'),
    )
  }
  const addImage = (input: CheckedImage, name: string) => {
    add(imageHead(input, name), ...contentOf(input))
  }
  let hasImages = false
  let hasModel = false
  for (const part of form.parts) {
    if (imageParts.has(part)) {
      if (hasImages) continue
      hasImages = true
      const name = images.length === 1 ? 'image' : 'image[]'
      for (const image of images) addImage(image, name)
    } else if (mask && part === partOf(mask.place)) addImage(mask, 'mask')
    else if (part.name === 'model') {
      hasModel = true
      add({ name: 'model' }, Buffer.from(model))
    } else if (!omitted.includes(part.name)) add(part, { part })
  }
  if (!hasModel) add({ name: 'model' }, Buffer.from(model))
  return [...pieces, Buffer.from(`--${boundary}--\r\n`)]
}

function partOf(place: CheckedImage['place']): FormPart | undefined {
  return 'part' in place ? place.part : undefined
}

function contentOf({ place }: CheckedImage): Piece[] {
  if (place.kind === 'upload') return [{ path: place.path, size: place.content.size }]
  const part = partOf(place)
  return part ? [{ part }] : []
}

async function* contents(
  pieces: readonly Piece[],
  { form, files, caller }: FormRewrite,
): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece
    else if ('part' in piece) yield* form.open(piece.part) as AsyncIterable<Buffer>
    else yield* rereadFile(piece, files, caller)
  }
}

function imageHead({ place, facts }: CheckedImage, name: string): FormPartHead {
  if (!facts) return { name }
  const sentName = place.kind === 'part' ? place.part.filename : undefined
  return {
    name,
    filename: sentName || `${name.slice(0, 5)}.${extensions[facts.type]}`,
    type: facts.type,
  }
}

const extensions: Readonly<Record<ImageType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}
