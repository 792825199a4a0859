import { parseBody } from '../../../src/body/read-body.ts'
import type { Form, FormPart } from '../../../src/contract/body.ts'
import type { Dialect } from '../../../src/contract/dialect.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import type { AccountFiles } from '../../../src/contract/files.ts'
import type { BatchPlace } from '../../../src/contract/stored-data.ts'
import { defaultLimits } from '../../../src/contract/limits.ts'
import { leaseOf } from '../../../src/exchange/record.ts'
import { requireString, wrong } from '../../../src/kit/checks.ts'
import { isObject } from '../../../src/lib/json/object.ts'
import { linesOf } from '../../../src/lib/text-lines.ts'
import {
  type BatchRequests,
  RequestReader,
  endpointOf,
  ofRequest,
} from '../shared/batch-requests.ts'

/** The most requests of a batch (docs/wire/openai.md 8). */
const mostRequests = 50_000

/** Blank lines are none, and each takes its time. */
const mostLines = 2 * mostRequests

/** What reading the lines needs. */
interface LineOptions {
  readonly dialects: readonly Dialect[]
  readonly files: AccountFiles
}

/**
 * Reads the requests of a file one by one, and checks each as its own endpoint does. Rejects with `GatewayError`, with the
 * number of the line, if the key or the gateway has not the model of one, or if one is malformed.
 */
export async function readLines(
  exchange: Authenticated,
  form: Form,
  part: FormPart,
  { dialects, files }: LineOptions,
): Promise<BatchRequests> {
  const lease = () => leaseOf(exchange)
  const reader = new RequestReader({ exchange, files, lease, mostRequests })
  const hold = (bytes: number) => lease().hold('body', bytes)
  const options = { hold, owner: exchange.caller.keyId }
  for await (const line of linesOf(form.open(part) as AsyncIterable<Buffer>, options)) {
    const { number, bytes } = line
    try {
      if (number > mostLines) throw tooMany()
      if (!bytes) throw tooLong()
      if (isBlank(bytes)) continue
      const { start, ...request } = await requestOf(exchange, bytes, dialects)
      const at = part.start + line.start + start
      await reader.read({ ...request, at, within: placeOf(number) })
    } catch (error) {
      throw ofLine(error, number)
    }
  }
  return reader.finish('file')
}

const blank = /^\s*$/
/** In bytes: the beginning of a line says whether it may be blank. */
const headBytes = 64

function isBlank(bytes: Buffer): boolean {
  return blank.test(bytes.toString('latin1', 0, headBytes)) && blank.test(bytes.toString())
}

/** The request of a line, and where its body begins in it. */
async function requestOf(exchange: Authenticated, bytes: Buffer, dialects: readonly Dialect[]) {
  // The type of the form says nothing of its lines.
  const request = { ...exchange.request, headers: {} }
  const lease = () => leaseOf(exchange)
  const context = { limits: defaultLimits, lease, request: { request, operation: lineShape } }
  const { json, members } = await parseBody(bytes, context)
  requireString(json, 'custom_id')
  if (json['method'] !== 'POST') throw wrong('method', '`POST`')
  const endpoint = endpointOf(dialects, requireString(json, 'url'))
  const range = members.get('body')
  if (!range || !isObject(json['body'])) throw wrong('body', 'an object')
  const { start, end } = range
  return { ...endpoint, bytes: bytes.subarray(start, end), start }
}

/** The members of a line, each of which may occur once. */
const lineShape = {
  id: 'files.line',
  method: 'POST',
  auth: 'key',
  schema: {
    request: {
      type: 'object',
      properties: {
        custom_id: { type: 'string' },
        method: { type: 'string' },
        url: { type: 'string' },
        body: { type: 'object' },
      },
    },
  },
} as const

function tooLong(): GatewayError {
  return new GatewayError('request_too_large', 'It is longer than 16 MiB.')
}

function tooMany(): GatewayError {
  return new GatewayError('request_too_large', `The file has more than ${mostLines} lines.`)
}

/** The error of a line, which refuses the whole file. */
export function ofLine(thrown: unknown, line: number): GatewayError {
  return ofRequest(thrown, placeOf(line))
}

function placeOf(number: number): BatchPlace {
  return { place: `Line ${number}`, number, param: 'input_file_id' }
}
