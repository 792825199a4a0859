import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

import type { Caller } from '../../../src/contract/request.ts'
import type { Files } from '../../../src/contract/files.ts'
import { type FormPartHead, encodePartHead } from '../../../src/body/form/encode.ts'
import type { ImageType } from '../../../src/lib/image-type.ts'
import type { Form, FormPart } from '../../../src/contract/body.ts'
import type { StreamedBody } from '../../../src/contract/attempt.ts'
import { type KnownFile, rereadFile } from '../../../src/storage/read-opened.ts'
import type { CheckedImage, InputImages } from './input-images.ts'

/**
 * Whether accounts take a form as it came: they know images as `image` or `image[]`, in the order of
 * their parts, believe the type that a part tells, and have no uploads of this gateway.
 */
export function isPlainForm({ images, mask }: InputImages<CheckedImage>): boolean {
  const parts = images.map(({ place }) => ('part' in place ? place.part?.start : undefined) ?? 0)
  const isOrdered = parts.every((start, index) => index === 0 || start > (parts[index - 1] ?? 0))
  const isNamed = images.every(({ place }) => {
    const name = 'part' in place ? place.part?.name : undefined
    return name === 'image[]' || (name === 'image' && images.length === 1)
  })
  return isOrdered && isNamed && [...images, ...(mask ? [mask] : [])].every(isAsTold)
}

function isAsTold({ place, facts }: CheckedImage): boolean {
  if (place.kind === 'elsewhere') return true
  if (place.kind !== 'part' || place.part.filename === '') return false
  const [told = ''] = place.part.type?.split(';') ?? []
  return told.trim().toLowerCase() === facts?.type
}

/** What a form needs that is written anew. */
export interface FormRewrite {
  readonly form: Form
  readonly pictures: InputImages<CheckedImage>
  /** As the account calls it. */
  readonly model: string
  /** What it is not told. */
  readonly untold: readonly string[]
  readonly files: Files
  readonly caller: Caller
}

/** A form in the words of accounts. Contents are read where they are, each time that it is sent. */
export function rewriteForm(rewriting: FormRewrite): { type: string; body: StreamedBody } {
  // Uploads may hold anything: a boundary that nobody has seen stands in none of them.
  const boundary = `dragoman-${randomBytes(16).toString('hex')}`
  const pieces = piecesOf(rewriting, boundary)
  const length = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: {
      length,
      open() {
        const stream = Readable.from(contents(pieces, rewriting), { objectMode: false })
        // Whoever sends it hears of it too, unless nobody does any more.
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

/** Images take the place of the first of them. */
function piecesOf({ form, pictures, model, untold }: FormRewrite, boundary: string): Piece[] {
  const { images, mask } = pictures
  const imageParts = new Set(images.map(({ place }) => partOf(place)))
  const pieces: Piece[] = []
  const add = (head: FormPartHead, ...content: Piece[]) => {
    pieces.push(
      Buffer.from(`--${boundary}\r\n${encodePartHead(head)}`),
      ...content,
      Buffer.from('\r\n'),
    )
  }
  const addPicture = (picture: CheckedImage, name: string) => {
    add(pictureHead(picture, name), ...contentOf(picture))
  }
  let hasImages = false
  let hasModel = false
  for (const part of form.parts) {
    if (imageParts.has(part)) {
      if (hasImages) continue
      hasImages = true
      const name = images.length === 1 ? 'image' : 'image[]'
      for (const image of images) addPicture(image, name)
    } else if (mask && part === partOf(mask.place)) addPicture(mask, 'mask')
    else if (part.name === 'model') {
      hasModel = true
      add({ name: 'model' }, Buffer.from(model))
    } else if (!untold.includes(part.name)) add(part, { part })
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

function pictureHead({ place, facts }: CheckedImage, name: string): FormPartHead {
  if (!facts) return { name }
  const given = place.kind === 'part' ? place.part.filename : undefined
  return {
    name,
    filename: given || `${name.slice(0, 5)}.${extensions[facts.type]}`,
    type: facts.type,
  }
}

const extensions: Readonly<Record<ImageType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}
