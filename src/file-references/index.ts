import { parseJsonBody } from '../body/read-body.ts'
import type { RequestBody } from '../contract/body.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Authenticated } from '../contract/exchange.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import type { Files, InlinedFile } from '../contract/files.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { RemoteLimits } from '../contract/services.ts'
import { startDeadline } from '../remote/deadline.ts'
import { withFieldName } from '../storage/read-opened.ts'
import { type FileReference, findReferences } from './find-references.ts'
import { readReference } from './read-reference.ts'
import { reserveMemory } from '../kit/reserve-memory.ts'

export type { FileField, FileFields, InlinedFile } from '../contract/files.ts'

export interface FileInlinerOptions {
  /** Absent: there are no uploads. */
  readonly files: Files | undefined
  readonly limits: RemoteLimits
}

/**
 * A body with the bytes of the caller's uploads where it names them by their paths, so that every
 * account understands it; the one given where it names none. Throws `GatewayError`: 404 for what is
 * no file of the caller's, 400 beyond the limits, 503 where a storage cannot be read or other requests
 * have taken all room.
 */
export type InlineFiles = (exchange: Authenticated, body: RequestBody) => MaybePromise<RequestBody>

export function createFileInliner({ files, limits }: FileInlinerOptions): InlineFiles {
  if (!files) return (_, body) => body
  const beginnings = files.schemes.map((scheme) => Buffer.from(`"${scheme}:`))
  return (exchange, body) => {
    const { files: fields } = exchange.dialect
    // Nobody pays for what hardly anybody does: a body is searched before it is looked into.
    if (!fields || !beginnings.some((beginning) => body.bytes.includes(beginning))) return body
    const named = findReferences(
      body,
      fields,
      counted((name) => files.owns(name)),
    )
    return named.length === 0 ? body : hold(exchange, body, named, { files, limits })
  }
}

type Holding = FileInlinerOptions & { readonly files: Files }

/** More would take long to put into their places, however small they are. */
const mostPlaces = 10_000

function counted(owns: (name: string) => boolean): (name: string) => boolean {
  let places = 0
  return (name) => {
    if (!owns(name)) return false
    if (++places > mostPlaces) throw tooManyPlaces()
    return true
  }
}

async function hold(
  exchange: Authenticated,
  { bytes }: RequestBody,
  named: readonly FileReference[],
  { files, limits }: Holding,
): Promise<RequestBody> {
  const { caller, client } = exchange
  const { maxFiles, maxBytes, maxTotalBytes, totalTimeoutMs } = limits
  const byPath = [...Map.groupBy(named, ({ name }) => name)]
  const surplus = byPath[maxFiles]?.[1][0]
  if (surplus) throw tooMany(surplus, byPath.length, maxFiles)
  using time = startDeadline(totalTimeoutMs, tooSlow, client.signal)
  const edits: ByteEdit[] = []
  let left = maxTotalBytes
  for (const [path, uses] of byPath) {
    const [first] = uses as [FileReference]
    const { mediaType } = first
    const named = { path, field: first.param }
    const accept = (size: number) => {
      left -= size * uses.length
      if (left < 0) throw tooMuch(maxTotalBytes)
      reserveMemory(exchange, size * uses.length)
    }
    const reading = { files, caller, mediaType, maxBytes, accept, signal: time.signal }
    const file = await withFieldName(named, readReference(path, reading))
    const url = file ? undefined : await files.urlFor(path, caller)
    for (const use of uses) edits.push({ ...use.at, text: instead(use, { file, url }, maxBytes) })
  }
  return parseJsonBody(applyEdits(bytes, edits))
}

interface Resolved {
  readonly file: InlinedFile | undefined
  /** Of one that is too large to be held. */
  readonly url: string | undefined
}

/** Its members as text, to stand where the member was that named it. */
function instead(named: FileReference, { file, url }: Resolved, maxBytes: number): string {
  const linked = url?.startsWith('https:') ? named.link?.(url) : undefined
  const members = file ? named.inline(file) : linked
  if (!members) throw tooLarge(named, `it is larger than ${maxBytes} bytes`)
  return JSON.stringify(members).slice(1, -1)
}

function tooMany({ param }: FileReference, count: number, most: number): GatewayError {
  const message = `The request names ${count} uploads; ${most} are allowed.`
  return new GatewayError('invalid_value', message, { param })
}

function tooManyPlaces(): GatewayError {
  const message = `The request names uploads in more than ${mostPlaces} places.`
  return new GatewayError('invalid_value', message)
}

function tooLarge({ param }: FileReference, what: string): GatewayError {
  const message = `\`${param}\`: ${unfit(what)}`
  return new GatewayError('invalid_value', message, { param })
}

/** Whoever tells it names the field. */
function tooMuch(most: number): GatewayError {
  return new GatewayError('invalid_value', unfit(`with the others it has more than ${most} bytes`))
}

function unfit(what: string): string {
  return `this upload cannot be part of a request: ${what}.`
}

function tooSlow(): GatewayError {
  const message = 'The uploads of the request could not be read in time.'
  return new GatewayError('storage_unavailable', message)
}
