import { toClientError } from './failure.ts'
import type { RemoteFile } from './follow.ts'
import type { MediaPart, RemotePart } from './media-parts.ts'
import { checkMediaType, type MediaTypes } from './media-type.ts'
import type { UrlField } from './url-fields.ts'

/**
 * The content types of which a part may be. Where the client has announced a PDF, the page that
 * says that a link has expired is none; that a picture is of another format does no harm.
 */
export function expectedTypes(part: RemotePart, mediaTypes: MediaTypes): readonly string[] {
  const ofKind = mediaTypes[part.type]
  const [family = ''] = part.mediaType?.toLowerCase().split('/') ?? []
  const announced = ofKind.filter((type) => type.startsWith(`${family}/`))
  return announced.length > 0 ? announced : ofKind
}

/** Refuses a file that was fetched for several parts and is not what this one may be. */
export function checkPart(
  part: RemotePart,
  { mediaType }: RemoteFile,
  mediaTypes: MediaTypes,
  field: UrlField,
): void {
  try {
    checkMediaType(mediaType, expectedTypes(part, mediaTypes))
  } catch (thrown) {
    throw toClientError(thrown, field, URL.parse(part.source.url))
  }
}

/** What the bytes are is what their host says and they show, whatever the client had announced. */
export function withContent(
  part: RemotePart,
  { mediaType }: RemoteFile,
  base64: string,
): MediaPart {
  return { ...part, mediaType, source: { kind: 'data', base64 } }
}
