import type { JsonObject } from '../../../src/codec.ts'
import type { Caller } from '../../../src/exchange.ts'
import type { Files } from '../../../src/files.ts'
import { readStored } from '../../../src/jobs/stored.ts'
import { part, text } from '../../../src/usage.ts'
import { instanceIn } from './request.ts'

/** How content is told where a path stood. */
const forms = {
  image: (content: string, mimeType = 'image/png') => ({ bytesBase64Encoded: content, mimeType }),
  lastFrame: (content: string, mimeType = 'image/png') => ({
    bytesBase64Encoded: content,
    mimeType,
  }),
  video: (content: string, encoding = 'video/mp4') => ({ encodedVideo: content, encoding }),
}

/** The request with the content of uploaded files in place of their paths; the same without any. */
export async function withStored(
  json: JsonObject,
  caller: Caller,
  files: Files | undefined,
): Promise<JsonObject> {
  let instance = instanceIn(json)
  if (!files || !instance) return json
  const before = instance
  for (const [field, form] of Object.entries(forms)) {
    const place = part(instance, field)
    const path = text(place, 'gcsUri') ?? text(place, 'uri') ?? ''
    if (!files.owns(path)) continue
    const { bytes, type } = await readStored(files, path, { caller, field })
    instance = { ...instance, [field]: form(bytes.toString('base64'), type) }
  }
  return instance === before ? json : { ...json, instances: [instance] }
}
