import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Form, FormFile } from './form/form.ts'
import type { Delivery } from './wire/run-steps.ts'

/** A request as the sandbox received it, for tests to look at. */
export type RecordedRequest = {
  /** Arrival, in milliseconds since the epoch. */
  time: number
  /** The account whose key it carried; undefined until, or unless, the key was recognised. */
  account: string | undefined
  method: string
  /** Path and query, exactly as sent. */
  url: string
  headers: IncomingHttpHeaders
  /** Names and values in turn, exactly as sent. */
  rawHeaders: string[]
  /** The first mebibyte of the body; empty until it has arrived. */
  body: Buffer
  /** How many bytes of body have arrived. */
  bodySize: number
  /** The parts of the body, if it was a form. */
  form: RecordedForm | undefined
  /**
   * `complete`: the sandbox did all it meant to, a cut on purpose included.
   * `aborted`: the client went away before that.
   */
  finished: 'pending' | 'complete' | 'aborted'
}

/** A form; what its files contained is known by their digests alone. */
export type RecordedForm = Omit<Form, 'files'> & { files: RecordedFile[] }

export type RecordedFile = Omit<FormFile, 'head'>

const mostRequests = 1000
const mostBodyBytes = 1024 * 1024

/** Adds the request to the list, which keeps the last 1000. */
export function recordRequest(
  requests: RecordedRequest[],
  request: IncomingMessage,
): RecordedRequest {
  const record: RecordedRequest = {
    time: Date.now(),
    account: undefined,
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    body: Buffer.alloc(0),
    bodySize: 0,
    form: undefined,
    finished: 'pending',
  }
  requests.push(record)
  if (requests.length > mostRequests) requests.shift()
  return record
}

export function recordBody(record: RecordedRequest, body: Buffer): void {
  record.body = body.subarray(0, mostBodyBytes)
  record.bodySize = body.length
}

/** Adds a piece of a body that is read as it arrives. */
export function recordChunk(record: RecordedRequest, chunk: Buffer): void {
  const room = mostBodyBytes - record.body.length
  if (room > 0) record.body = Buffer.concat([record.body, chunk.subarray(0, room)])
  record.bodySize += chunk.length
}

export function recordForm(record: RecordedRequest, { fields, files }: Form): void {
  record.form = { fields, files: files.map(withoutContent) }
}

function withoutContent({ name, filename, type, size, sha256 }: FormFile): RecordedFile {
  return { name, filename, type, size, sha256 }
}

/** Follows the reply to its end and keeps `finished` up to date on the way. */
export function trackReply(record: RecordedRequest, response: ServerResponse): Delivery {
  const controller = new AbortController()
  const complete = () => {
    record.finished = 'complete'
  }
  response.once('finish', complete)
  response.once('close', () => {
    if (record.finished === 'pending') record.finished = 'aborted'
    controller.abort()
  })
  return { response, signal: controller.signal, complete }
}
