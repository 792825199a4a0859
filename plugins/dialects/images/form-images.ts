import { wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Caller } from '../../../src/contract/request.ts'
import type { Files } from '../../../src/contract/files.ts'
import type { Form, FormPart } from '../../../src/contract/body.ts'
import { checkCount } from './check-images.ts'
import { contentOfPart, contentOfUpload } from './content.ts'
import type { InputImage, InputImages } from './input-images.ts'

/** Matches `image`, `image[]`, `image[0]`, `image.0`, and the same for `images`. */
const imageName = /^images?(?:\[(?<bracketed>\d{0,9})\]|\.(?<dotted>\d{1,9}))?$/

/** Whether a form part of this name is an image. */
export function isImageName(name: string): boolean {
  return imageName.test(name)
}

/** Maximum length of a path or URL in a text part, in bytes. */
const maxTextBytes = 8 * 1024

/**
 * Returns the input images of a form, ordered by the numbers in their names, then by arrival. Throws
 * `GatewayError`.
 */
export async function imagesOfForm(form: Form, files: Files, caller: Caller): Promise<InputImages> {
  const parts = form.parts.filter(({ name }) => isImageName(name))
  const ordered = parts.toSorted((left, right) => indexOf(left) - indexOf(right))
  const masks = form.parts.filter(({ name }) => name === 'mask')
  if (masks.length > 1) {
    throw new GatewayError('duplicate_parameter', '`mask` is sent more than once.', {
      param: 'mask',
    })
  }
  if (ordered.length === 0) checkNames(form)
  checkCount(ordered.length)
  const images: InputImage[] = []
  // One at a time, so that only one image's head is in memory.
  for (const [index, part] of ordered.entries()) {
    images.push(await readImagePart(part, ordered.length === 1 ? 'image' : `image[${index}]`))
  }
  const [mask] = masks
  return { images, mask: mask && (await readImagePart(mask, 'mask')) }

  async function readImagePart(part: FormPart, param: string): Promise<InputImage> {
    if (part.filename !== undefined) {
      return { param, place: { kind: 'part', part, content: contentOfPart(form, part) } }
    }
    const text = await textOf(form, part)
    if (files.owns(text)) {
      const content = await contentOfUpload(files, { path: text, field: param }, caller)
      return { param, place: { kind: 'upload', path: text, part, content } }
    }
    if (/^https?:/i.test(text)) return { param, place: { kind: 'elsewhere', part } }
    throw wrong(param, 'a file, or the path of an upload')
  }
}

/** Limits of the error message: number of names, and characters of each. */
const listLimits = { names: 5, length: 40 }

/** Throws `GatewayError` 400 if the form has files, but none with the name of an image. */
function checkNames({ parts }: Form): void {
  const files = parts.filter(({ name, filename }) => filename !== undefined && name !== 'mask')
  const names = [...new Set(files.map(({ name }) => `\`${name.slice(0, listLimits.length)}\``))]
  if (names.length === 0) return
  const list = names.slice(0, listLimits.names).join(', ')
  const message = `\`image\` is required: the files of this form are named ${list}.`
  throw new GatewayError('missing_required_parameter', message, { param: 'image' })
}

/** Returns the number in a part's name; -1 without one, which sorts first. */
function indexOf({ name }: FormPart): number {
  const { bracketed, dotted } = imageName.exec(name)?.groups ?? {}
  const digits = dotted ?? bracketed ?? ''
  return digits === '' ? -1 : Number(digits)
}

async function textOf(form: Form, part: FormPart): Promise<string> {
  if (part.end - part.start > maxTextBytes) return ''
  return (await form.read(part, maxTextBytes)).toString()
}
