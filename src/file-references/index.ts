import { addAbortSignal } from 'node:stream'

import { parseBody } from '../body/read-body.ts'
import type { RequestBody } from '../contract/body.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Authenticated } from '../contract/exchange.ts'
import { type ByteEdit, applyEdits } from '../lib/json/edit.ts'
import type { AccountFiles, Files, InlinedFile } from '../contract/files.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import { defaultLimits } from '../contract/limits.ts'
import { leaseOf } from '../exchange/record.ts'
import { mayHaveString } from '../lib/json/scan.ts'
import type { JsonLimits } from '../lib/json/measure.ts'
import type { RemoteLimits } from '../contract/services.ts'
import { startDeadline } from '../remote/deadline.ts'
import { bytesOf, withFieldName } from '../storage/read-opened.ts'
import { type BoundBody, bindFiles, bindForm } from './bind-files.ts'
import { type FileReference, findReferences } from './find-references.ts'
import { reserveMemory } from '../kit/reserve-memory.ts'
import { keyOf } from '../lib/text-map.ts'
import type { Caller } from '../contract/request.ts'
import { detectType } from '../remote/content.ts'
import { essenceOf } from '../lib/media-type.ts'
import { typeByName } from '../storage/media-type.ts'

export type { FileField, FileFields, InlinedFile } from '../contract/files.ts'

/** The uploads that bodies may name, and the limits for inlining them. */
interface FileInlinerOptions {
  /** Absent if the gateway has no storage; bodies then pass unchanged. */
  readonly files: Files | undefined
  readonly limits: RemoteLimits
  /** The limits of a body with its files. Default: the gateway's limits. */
  readonly json?: JsonLimits
}

/**
 * Replaces each path of the caller's uploads in a body by the bytes of the file, which every account
 * understands. Returns `body` itself if it names no upload. Throws `GatewayError`: 404 for a path that
 * is not a file of the caller, 400 beyond the limits, 503 if a storage cannot be read or the memory
 * for uploads is used up.
 */
type InlineFiles = (exchange: Authenticated, body: RequestBody) => MaybePromise<RequestBody>

/** Creates the function that inlines uploads into request bodies. */
export function createFileInliner({
  files,
  limits,
  json = defaultLimits,
}: FileInlinerOptions): InlineFiles {
  if (!files) return (_, body) => body
  const prefixes = files.schemes.map((scheme) => `"${scheme}:`)
  return (exchange, body) => {
    const { files: fields } = exchange.dialect
    // A search is cheap and spares nearly all bodies the walk below.
    if (!fields || body.bytes.length === 0) return body
    if (!prefixes.some((prefix) => mayHaveString(body, prefix))) return body
    const references = findReferences(
      body,
      fields,
      limitPlaces((name) => files.owns(name)),
    )
    const inlined = references.filter(({ inline }) => inline !== undefined)
    return inlined.length === 0
      ? body
      : inlineReferences(exchange, body, inlined, { files, limits, json })
  }
}

/**
 * Creates the function that binds calls to the files at accounts that their bodies name; it returns `undefined` for a body
 * that names none. `undefined` without such files.
 */
export function createFileBinder(sources: readonly AccountFiles[], limits: JsonLimits) {
  if (sources.length === 0) return undefined
  return (exchange: Authenticated, body: RequestBody): Promise<BoundBody> | undefined => {
    const { files: fields } = exchange.dialect
    const source = sources.find(({ prefix }) => prefix === fields?.idPrefix)
    if (!fields || !source) return undefined
    if (body.form) return fields.idParts && bindForm(exchange, body, fields.idParts, source)
    if (body.bytes.length === 0 || !mayHaveString(body, `"${source.prefix}`)) return undefined
    return bindFiles(exchange, body, { fields, source, limits })
  }
}

type InlinerContext = Required<FileInlinerOptions> & { readonly files: Files }

/** The most places in a body that may name uploads; more would take too long to replace. */
const maxPlaces = 10_000

function limitPlaces(owns: (name: string) => boolean): (name: string) => boolean {
  let places = 0
  return (name) => {
    if (!owns(name)) return false
    if (++places > maxPlaces) throw tooManyPlaces()
    return true
  }
}

async function inlineReferences(
  exchange: Authenticated,
  { bytes }: RequestBody,
  references: readonly FileReference[],
  { files, limits, json }: InlinerContext,
): Promise<RequestBody> {
  const { caller, client } = exchange
  const { maxFiles, maxBytes, maxTotalBytes, totalTimeoutMs } = limits
  const byPath = [...Map.groupBy(references, ({ name }) => keyOf(name)).values()] as [
    FileReference,
    ...FileReference[],
  ][]
  const surplus = byPath[maxFiles]?.[0]
  if (surplus) throw tooMany(surplus, byPath.length, maxFiles)
  using time = startDeadline(totalTimeoutMs, tooSlow, client.signal)
  const edits: ByteEdit[] = []
  let left = maxTotalBytes
  for (const uses of byPath) {
    const [first] = uses
    const { mediaType, name: path } = first
    const upload = { path, field: first.param }
    const accept = (size: number) => {
      left -= size * uses.length
      if (left < 0) throw tooLargeTogether(maxTotalBytes)
      return reserveMemory(exchange, size * uses.length)
    }
    const reading = { files, caller, mediaType, maxBytes, accept, signal: time.signal }
    const file = await withFieldName(upload, readReference(path, reading))
    const url = file ? undefined : await files.urlFor(path, caller)
    for (const use of uses)
      edits.push({ ...use.at, text: replacementText(use, { file, url }, maxBytes) })
  }
  const lease = () => leaseOf(exchange)
  return parseBody(applyEdits(bytes, edits), { limits: json, lease })
}

interface Resolved {
  readonly file: InlinedFile | undefined
  /** A URL of the file, if it is too large to inline and its storage is public. */
  readonly url: string | undefined
}

/** The JSON members, without braces, that replace the member that names the upload. */
function replacementText(
  reference: FileReference,
  { file, url }: Resolved,
  maxBytes: number,
): string {
  const linked = url?.startsWith('https:') ? reference.link?.(url) : undefined
  const members = file ? reference.inline?.(file) : linked
  if (!members) throw tooLarge(reference, `it is larger than ${maxBytes} bytes`)
  return JSON.stringify(members).slice(1, -1)
}

function tooMany({ param }: FileReference, count: number, most: number): GatewayError {
  const message = `The request names ${count} uploads; ${most} are allowed.`
  return new GatewayError('invalid_value', message, { param })
}

function tooManyPlaces(): GatewayError {
  const message = `The request names uploads in more than ${maxPlaces} places.`
  return new GatewayError('invalid_value', message)
}

function tooLarge({ param }: FileReference, reason: string): GatewayError {
  const message = `\`${param}\`: ${cannotInline(reason)}`
  return new GatewayError('invalid_value', message, { param })
}

/** Its caller adds the field to the message. */
function tooLargeTogether(most: number): GatewayError {
  return new GatewayError(
    'invalid_value',
    cannotInline(`together with the others it has more than ${most} bytes`),
  )
}

function cannotInline(reason: string): string {
  return `this upload cannot be inlined into a request: ${reason}.`
}

function tooSlow(): GatewayError {
  const message = 'The uploads of the request could not be read in time.'
  return new GatewayError('storage_unavailable', message)
}

/** How to read an upload. */
interface ReadOptions {
  readonly files: Files
  readonly caller: Caller
  /** The media type that the client states in the request. */
  readonly mediaType: string | undefined
  /** The largest file to read, in bytes. */
  readonly maxBytes: number
  /** Called with the size in bytes before the file is read. Throws, or rejects, to refuse the file. */
  readonly accept: (size: number) => Promise<void> | undefined
  readonly signal: AbortSignal
}

/**
 * Reads a file of the caller by its path. Resolves with `undefined` if it is larger than `maxBytes`.
 * Rejects with `GatewayError` 404 if there is no such file, 503 if its storage fails, or with the
 * error that `accept` throws.
 */
async function readReference(path: string, options: ReadOptions): Promise<InlinedFile | undefined> {
  const { files, caller, maxBytes, accept, signal } = options
  const { stream, size, type } = await files.open(path, caller)
  if (size > maxBytes) {
    stream.destroy()
    return undefined
  }
  try {
    await accept(size)
  } catch (error) {
    stream.destroy()
    throw error
  }
  const reading = bytesOf({ stream: addAbortSignal(signal, stream), size })
  const bytes = await reading.catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
  const declared = [type, options.mediaType].find((each) => each && essenceOf(each) !== unknownType)
  const known =
    detectType(bytes) ?? (declared && essenceOf(declared)) ?? typeByName(path) ?? unknownType
  return { name: path.slice(path.lastIndexOf('/') + 1), mediaType: known, bytes }
}

/** The media type of files of an unknown type. */
const unknownType = 'application/octet-stream'
