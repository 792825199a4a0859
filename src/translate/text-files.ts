import type { GenerateRequest } from '../generate/request.ts'
import { fileTextInSteps, hasOtherCharset } from '../kit/codec/file-text.ts'
import { type Steps, finishInTurns } from '../lib/steps.ts'
import { type MediaPart, mapMedia, mediaParts } from '../remote/media-parts.ts'

/**
 * Reads the files whose text is in another charset than UTF-8, in turns of the event loop: codecs read a file at
 * once, and EUC-JP of the largest request would hold up all others. Rejects with a `GatewayError` 400 for a file that
 * is no text of its charset.
 */
export async function readTextFiles(request: GenerateRequest): Promise<GenerateRequest> {
  if (request.fields.file_input === undefined) return request
  const parts = mediaParts(request).filter((part) => part.type === 'file' && hasOtherCharset(part))
  if (parts.length === 0) return request
  const texts = await finishInTurns(readAll(parts))
  return mapMedia(request, (part) => withText(part, texts.get(part)))
}

function* readAll(parts: readonly MediaPart[]): Steps<Map<MediaPart, string>> {
  const texts = new Map<MediaPart, string>()
  for (const part of parts) {
    const text = part.type === 'file' ? yield* fileTextInSteps(part) : undefined
    if (text !== undefined) texts.set(part, text)
  }
  return texts
}

function withText(part: MediaPart, text: string | undefined): MediaPart {
  if (text === undefined || part.source.kind !== 'data') return part
  return { ...part, source: { ...part.source, text } }
}
