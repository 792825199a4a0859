import { readDataUrl } from '../generate/data-url.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Files } from '../contract/files.ts'
import { imageTypeOf } from '../lib/image-type.ts'
import type { EncodingTools, VideoImage } from '../media/video.ts'
import { Declined } from '../contract/attempt.ts'
import { readStored } from './stored.ts'
import { Losses } from '../translate/losses.ts'
import type { TranslationServices } from '../contract/services.ts'

/** The media types of pictures that a video can be based on. */
const pictureTypes = ['image/jpeg', 'image/png', 'image/webp']

/** The tools for the codec of a video request. */
export function encodingTools(
  exchange: Routed,
  services: TranslationServices,
  files: Files | undefined,
): EncodingTools {
  return {
    drop: new Losses(exchange, services).dropFromRequest,
    refuse,
    bytesOf: (picture) => bytesOf(picture, exchange, services, files),
  }
}

function refuse(field: string, reason: string): never {
  const sentence = `\`${field}\`: ${reason}; leave it out, or use a model of another account.`
  throw new Declined('translation', sentence, { field })
}

async function bytesOf(
  picture: VideoImage,
  exchange: Routed,
  services: TranslationServices,
  files: Files | undefined,
): Promise<{ bytes: Buffer; mediaType: string }> {
  const { field } = picture
  switch (picture.kind) {
    case 'bytes':
      return withMediaType(await picture.read(), field)
    case 'file':
      return refuse(field, 'only the account that stores a file can read it')
    case 'url': {
      if (files?.owns(picture.url)) {
        const { bytes } = await readStored(files, picture.url, { exchange, field })
        return withMediaType(bytes, field)
      }
      const data = readDataUrl(picture.url)
      if (data) return withMediaType(Buffer.from(data.base64, 'base64'), field)
      const { keyId } = exchange.caller
      const use = { field: { param: field, label: `\`${field}\`` }, accepted: pictureTypes, keyId }
      return services.fetch(picture.url, exchange.client.signal, use)
    }
  }
}

/** The media type comes from the bytes, not from the client. */
function withMediaType(bytes: Buffer, field: string): { bytes: Buffer; mediaType: string } {
  const mediaType = imageTypeOf(bytes)
  if (mediaType) return { bytes, mediaType }
  throw new GatewayError('invalid_value', `\`${field}\` must be a JPEG, PNG or WebP picture.`, {
    param: field,
  })
}
