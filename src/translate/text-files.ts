import { GatewayError } from '../contract/errors.ts'
import type { FileTexts, Understood } from '../contract/exchange.ts'
import { leaseOf } from '../exchange/record.ts'
import type { FilePart } from '../generate/content.ts'
import type { GenerateRequest } from '../generate/request.ts'
import { hasOtherCharset, readFileText } from '../kit/codec/file-text.ts'
import { smallJson } from '../lib/json/measure.ts'
import { type Work, runInTurns } from '../lib/turns.ts'
import { type MediaPart, mapMedia, mediaParts } from '../remote/media-parts.ts'

/**
 * Reads the files whose text is in another charset than UTF-8, in turns of the event loop: codecs read a file at
 * once, and EUC-JP of the largest request would hold up all others. Rejects with a `GatewayError`: 400 for a file that
 * is no text of its charset, `client_closed_request` once the client has left, and `memory_full` without room.
 */
export async function readTextFiles(
  request: GenerateRequest,
  exchange: Understood,
): Promise<GenerateRequest> {
  if (request.fields.file_input === undefined) return request
  const files = mediaParts(request).filter(isOfOtherCharset)
  if (files.length === 0) return request
  const known: FileTexts = (exchange.progress.texts ??= new Map())
  // A change of a plugin has other parts than the request that is translated.
  const present: ReadonlySet<MediaPart> = new Set(files)
  for (const part of known.keys()) if (!present.has(part)) known.delete(part)
  await leaseOf(exchange).hold('texts', memoryOf(files))
  await runInTurns(whileClientStays(exchange, readAll(files, known)), {
    owner: exchange.caller.keyId,
  })
  return mapMedia(request, (part) => withText(part, known.get(part)))
}

/** Forgets the texts of an exchange, once no further attempt follows. */
export function forgetTexts(exchange: Understood): void {
  if (!exchange.progress.texts) return
  exchange.progress.texts = undefined
  void leaseOf(exchange).hold('texts', 0)
}

/** The texts, in bytes: a character takes two, and most charsets one for it. Small ones are not counted. */
function memoryOf(files: readonly FilePart[]): number {
  let bytes = 0
  for (const { source } of files) {
    if (source.kind === 'data') bytes += 2 * Math.ceil((source.base64.length * 3) / 4)
  }
  return bytes > smallJson ? bytes : 0
}

function isOfOtherCharset(part: MediaPart): part is FilePart {
  return part.type === 'file' && hasOtherCharset(part)
}

/** The most bytes of the texts in UTF-8, where a character of a charset takes up to three for its one. */
const mostBytes = 64 * 1024 * 1024

/** A file is read once, also one that is refused: each account of another dialect asks for it. */
function* readAll(files: readonly FilePart[], known: FileTexts): Work<void> {
  let bytes = 0
  for (const file of files) {
    if (!known.has(file)) known.set(file, textOrRefusal(file))
    const text = known.get(file) ?? ''
    if (GatewayError.isInstance(text)) throw text
    bytes += Buffer.byteLength(text)
    if (bytes > mostBytes) throw tooLarge(file)
    yield
  }
}

function tooLarge({ field }: FilePart): GatewayError {
  const message = 'The documents are larger than 64 MiB in UTF-8, the charset of accounts.'
  return new GatewayError('request_too_large', message, field === undefined ? {} : { param: field })
}

function textOrRefusal(file: FilePart): string | undefined | GatewayError {
  try {
    return readFileText(file)
  } catch (thrown) {
    if (GatewayError.isInstance(thrown)) return thrown
    throw thrown
  }
}

/** The steps, which end when the client leaves, unless the call finishes without it. */
function* whileClientStays({ client, call }: Understood, steps: Work<void>): Work<void> {
  while (!steps.next().done) {
    if (client.gone && !call.finishWithoutClient) {
      throw new GatewayError('client_closed_request', 'The client closed the request.')
    }
    yield
  }
}

function withText(part: MediaPart, text: string | undefined | GatewayError): MediaPart {
  if (typeof text !== 'string' || part.source.kind !== 'data') return part
  return { ...part, source: { ...part.source, text } }
}
