import { wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Caller } from '../../../src/contract/request.ts'
import type { Files } from '../../../src/contract/files.ts'
import type { Form, FormPart } from '../../../src/contract/body.ts'
import { checkCount } from './check-images.ts'
import { contentOfPart, contentOfUpload } from './content.ts'
import type { InputImage, InputImages } from './input-images.ts'

/** `image`, `image[]`, `image[0]`, `image.0`, and the same of `images`. */
const imageName = /^images?(?:\[(?<bracketed>\d{0,9})\]|\.(?<dotted>\d{1,9}))?$/

/** Whether a part of this name is an image. */
export function isImageName(name: string): boolean {
  return imageName.test(name)
}

/** Longer texts are no paths and no URLs that anybody sends. In bytes. */
const longestText = 8 * 1024

/** The pictures of a form, ordered by the numbers in their names and by arrival. */
export async function imagesOfForm(form: Form, files: Files, caller: Caller): Promise<InputImages> {
  const parts = form.parts.filter(({ name }) => isImageName(name))
  const ordered = parts.toSorted((left, right) => indexOf(left) - indexOf(right))
  const masks = form.parts.filter(({ name }) => name === 'mask')
  if (masks.length > 1) {
    throw new GatewayError('duplicate_parameter', '`mask` stands more than once.', {
      param: 'mask',
    })
  }
  if (ordered.length === 0) checkNames(form)
  checkCount(ordered.length)
  const images: InputImage[] = []
  // One after another: at most one head at a time is in memory.
  for (const [index, part] of ordered.entries()) {
    images.push(await picture(part, ordered.length === 1 ? 'image' : `image[${index}]`))
  }
  const [mask] = masks
  return { images, mask: mask && (await picture(mask, 'mask')) }

  async function picture(part: FormPart, param: string): Promise<InputImage> {
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

/** Names of files that are told, and characters of each. */
const mostTold = { names: 5, length: 40 }

/** Throws `GatewayError` 400 where there are files, all of them called something else. */
function checkNames({ parts }: Form): void {
  const files = parts.filter(({ name, filename }) => filename !== undefined && name !== 'mask')
  const names = [...new Set(files.map(({ name }) => `\`${name.slice(0, mostTold.length)}\``))]
  if (names.length === 0) return
  const told = names.slice(0, mostTold.names).join(', ')
  const message = `\`image\` is required: the files of this form are called ${told}.`
  throw new GatewayError('missing_required_parameter', message, { param: 'image' })
}

/** Those without a number come before those with one. */
function indexOf({ name }: FormPart): number {
  const { bracketed, dotted } = imageName.exec(name)?.groups ?? {}
  const digits = dotted ?? bracketed ?? ''
  return digits === '' ? -1 : Number(digits)
}

async function textOf(form: Form, part: FormPart): Promise<string> {
  if (part.end - part.start > longestText) return ''
  return (await form.read(part, longestText)).toString()
}
