import { badRequest } from '../../problem.ts'
import type { ImageModelKind } from './models.ts'
import type { Upload, Uploads } from './uploads.ts'

const megabyte = 1024 * 1024

const legacyTypes = ['image/png']
const newerTypes = ['image/jpeg', 'image/png', 'image/webp']

/** Throws unless models of this kind accept these images and this mask. */
export function checkUploads({ images, mask }: Uploads, kind: ImageModelKind): void {
  if (kind === 'gpt-image') for (const image of images) checkGptImage(image)
  else checkLegacy(images, mask)
  if (mask) checkMask(mask, images[0])
}

function checkGptImage(image: Upload): void {
  checkType(image, newerTypes)
  checkSize(image, 50)
}

function checkLegacy(images: Upload[], mask: Upload | undefined): void {
  const [image, second] = images
  if (second)
    throw badRequest(
      "Invalid type for 'image': this model takes one file.",
      'image',
      'invalid_type',
    )
  if (!image) return
  checkType(image, legacyTypes)
  checkSize(image, 4)
  const { header } = image
  if (header?.width !== header?.height)
    throw badRequest('Uploaded image must be square.', image.param, 'invalid_image')
  if (!mask && !header?.hasAlpha)
    throw badRequest(
      "Invalid input image - format must be in ['RGBA', 'LA', 'L'], got RGB.",
      image.param,
      'invalid_image',
    )
}

// The declared type of a mask does not matter, only its content.
function checkMask(mask: Upload, image: Upload | undefined): void {
  const bad = (reason: string) =>
    badRequest(`Invalid mask image format - ${reason}`, 'mask', 'invalid_mask_image_format')
  if (mask.header?.type !== 'image/png') throw bad('mask must be a PNG')
  checkSize(mask, 4)
  if (!mask.header.hasAlpha) throw bad('mask image missing alpha channel')
  const header = image?.header
  if (header && (header.width !== mask.header.width || header.height !== mask.header.height))
    throw bad('mask size does not match image size')
}

function checkType({ param, type, header }: Upload, allowed: string[]): void {
  if (!allowed.includes(type))
    throw badRequest(
      `Invalid file '${param}': unsupported mimetype ('${type}'). Supported file formats are ` +
        `${enumerate(allowed)}.`,
      param,
      'unsupported_file_mimetype',
    )
  if (!header || !allowed.includes(header.type))
    throw badRequest(
      `Invalid image file or mode for '${param}', please check your image file.`,
      param,
      'invalid_image_file',
    )
}

function checkSize({ param, size }: Upload, megabytes: number): void {
  if (size >= megabytes * megabyte)
    throw badRequest(
      `Invalid file '${param}': it must be less than ${megabytes}MB.`,
      param,
      'file_too_large',
    )
}

function enumerate(types: string[]): string {
  const quoted = types.map((type) => `'${type}'`)
  return quoted.length === 1
    ? quoted.join('')
    : `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`
}
