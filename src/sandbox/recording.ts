import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Form, FormFile } from './form/form.ts'
import type { Delivery } from './wire/run-steps.ts'

/** A request as the sandbox received it, for tests to inspect. */
export type RecordedRequest = {
  /** Arrival, in milliseconds since the epoch. */
  time: number
  /** The id of the account whose key it carries; undefined until the key is recognised. */
  account: string | undefined
  method: string
  /** Path and query, exactly as sent. */
  url: string
  headers: IncomingHttpHeaders
  /** Names and values in turn, exactly as sent. */
  rawHeaders: string[]
  /** The first mebibyte of the body; empty until it arrives. */
  body: Buffer
  /** Bytes of body received. */
  bodySize: number
  /** The parts of the body, if it is a form. */
  form: RecordedForm | undefined
  /**
   * `complete`: the sandbox sent the reply that it planned, deliberate cuts included.
   * `aborted`: the client disconnected before that.
   */
  finished: 'pending' | 'complete' | 'aborted'
}

/** A form. Of the content of its files, only the digests are recorded. */
type RecordedForm = Omit<Form, 'files'> & { files: RecordedFile[] }

/** A file of a form, without its content. */
type RecordedFile = Omit<FormFile, 'head'>

const maxRequests = 1000
const maxBodyBytes = 1024 * 1024

/** Adds the request to the list, which holds the last 1000. */
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
  if (requests.length > maxRequests) requests.shift()
  return record
}

/** Records a whole body. */
export function recordBody(record: RecordedRequest, body: Buffer): void {
  record.body = body.subarray(0, maxBodyBytes)
  record.bodySize = body.length
}

/** Records one chunk of a body that is parsed as it arrives. */
export function recordChunk(record: RecordedRequest, chunk: Buffer): void {
  const missing = maxBodyBytes - record.body.length
  if (missing > 0) record.body = Buffer.concat([record.body, chunk.subarray(0, missing)])
  record.bodySize += chunk.length
}

/** Records the parts of a form. */
export function recordForm(record: RecordedRequest, { fields, files }: Form): void {
  record.form = { fields, files: files.map(withoutContent) }
}

function withoutContent({ name, filename, type, size, sha256 }: FormFile): RecordedFile {
  return { name, filename, type, size, sha256 }
}

/** Sets `finished` of the record when the reply ends or the client disconnects. */
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
