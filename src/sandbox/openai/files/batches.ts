import type { IncomingHttpHeaders } from 'node:http'
import type { Account } from '../../accounts.ts'
import { FaultError } from '../../fault.ts'
import { newId, nowInSeconds } from '../../ids.ts'
import { type JsonObject, isObject, numberOf, objectOf, textOf } from '../../json.ts'
import { Problem, badRequest } from '../../problem.ts'
import type { Call, Endpoint, Reply } from '../../provider.ts'
import { choice, dictionary, integer, object, string } from '../../shape.ts'
import { readDirectives } from '../../steering/read-directives.ts'
import type { StoredBatch } from '../../stored.ts'
import { batchNotFound } from '../not-found.ts'
import { pageOf } from '../paging.ts'
import { openai, renderOpenAiError } from '../provider.ts'
import { findFile, storeFile } from './files.ts'

/** Finds the endpoint of a line. Throws a 404. */
type FindEndpoint = (method: string, path: string, headers: IncomingHttpHeaders) => Endpoint

const all = /^\/v1\/batches$/

/** `/v1/batches` and below. */
export function batches(find: FindEndpoint): Endpoint[] {
  return [
    { provider: openai, method: 'POST', path: all, hasBody: true, answer: (call) => create(call) },
    { provider: openai, method: 'GET', path: all, hasBody: false, answer: list },
    {
      provider: openai,
      method: 'GET',
      path: /^\/v1\/batches\/(?<id>[^/]+)$/,
      hasBody: false,
      answer: (call) => retrieve(call, find),
    },
    {
      provider: openai,
      method: 'POST',
      path: /^\/v1\/batches\/(?<id>[^/]+)\/cancel$/,
      hasBody: false,
      answer: cancel,
    },
  ]
}

const createRequest = object({
  required: {
    input_file_id: string({ min: 1 }),
    endpoint: choice(
      '/v1/responses',
      '/v1/chat/completions',
      '/v1/embeddings',
      '/v1/completions',
      '/v1/moderations',
      '/v1/images/generations',
      '/v1/images/edits',
      '/v1/videos',
    ),
    completion_window: choice('24h'),
  },
  optional: { metadata: dictionary(string({ max: 512 }), { keyLength: 64, size: 16 }) },
  omittable: {
    output_expires_after: object({
      required: {
        anchor: choice('created_at'),
        seconds: integer({ min: 3_600, max: 2_592_000 }),
      },
    }),
  },
})

function create({ account, body }: Call): Reply {
  createRequest(body, [])
  const input = textOf(body['input_file_id'])
  const file = account.storedFiles.get(input)
  if (!file) throw badRequest(`Invalid file ID: ${input}`, 'input_file_id')
  if (file.purpose !== 'batch')
    throw badRequest(`File purpose must be batch.`, 'input_file_id', 'invalid_file_purpose')
  const batch: StoredBatch = {
    id: newId('batch_'),
    createdAt: nowInSeconds(),
    endpoint: textOf(body['endpoint']),
    input,
    window: textOf(body['completion_window']),
    metadata: body['metadata'] ?? null,
    status: 'validating',
    errors: [],
    total: 0,
    completed: 0,
    failed: 0,
    usage: { input: 0, output: 0 },
    model: '',
    output: undefined,
    error: undefined,
  }
  account.batches.put(batch.id, batch, 2048)
  return { json: render(batch) }
}

function retrieve({ account, params, headers, origin }: Call, find: FindEndpoint): Reply {
  const batch = findBatch(account, params)
  if (batch.status === 'cancelling') batch.status = 'cancelled'
  else if (batch.status === 'validating') validate(account, batch)
  else if (batch.status === 'in_progress') work(account, batch, { find, headers, origin })
  return { json: render(batch) }
}

function cancel({ account, params }: Call): Reply {
  const batch = findBatch(account, params)
  if (!['validating', 'in_progress'].includes(batch.status))
    throw new Problem(409, `Cannot cancel a batch with status '${batch.status}'.`)
  batch.status = 'cancelling'
  return { json: render(batch) }
}

function list({ account, query }: Call): Reply {
  return { json: pageOf([...account.batches.values()].map(render), query, batchNotFound) }
}

const mostLines = 50_000

const lineShape = object({
  required: {
    custom_id: string({ min: 1 }),
    method: choice('POST'),
    url: string(),
    body: object({ open: true }),
  },
})

/** Checks the lines as OpenAI does: a file with a wrong line fails as a whole. */
function validate(account: Account, batch: StoredBatch): void {
  const lines = linesOf(account, batch)
  const seen = new Set<string>()
  lines.forEach((line, index) => {
    const code = faultOf(line, batch, seen)
    if (code) batch.errors.push({ code, line: index + 1, message: `sandbox: ${code}`, param: null })
  })
  if (lines.length === 0) batch.errors.push({ code: 'empty_file', line: null, message: 'empty' })
  if (lines.length > mostLines)
    batch.errors.push({ code: 'too_many_tasks', line: null, message: 'too many lines' })
  batch.total = batch.errors.length > 0 ? 0 : lines.length
  batch.status = batch.errors.length > 0 ? 'failed' : 'in_progress'
}

function faultOf(line: unknown, batch: StoredBatch, seen: Set<string>): string | undefined {
  try {
    lineShape(line, [])
  } catch (error) {
    if (error instanceof FaultError) return 'invalid_json_line'
    throw error
  }
  const { custom_id: id, url, body } = objectOf(line)
  const model = textOf(objectOf(body)['model'])
  if (seen.has(textOf(id))) return 'duplicate_custom_id'
  seen.add(textOf(id))
  if (url !== batch.endpoint) return 'mismatched_endpoint'
  if (objectOf(body)['stream'] === true) return 'streaming_unsupported'
  batch.model ||= model
  return model === batch.model ? undefined : 'mismatched_model'
}

function linesOf(account: Account, { input }: StoredBatch): unknown[] {
  const text = findFile(account, input).head.toString()
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parse)
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}

type WorkOptions = { find: FindEndpoint; headers: IncomingHttpHeaders; origin: string }

function work(account: Account, batch: StoredBatch, { find, headers, origin }: WorkOptions): void {
  const outputs: string[] = []
  const errors: string[] = []
  const endpoint = find('POST', batch.endpoint, headers)
  for (const line of linesOf(account, batch)) {
    const { custom_id, body } = objectOf(line)
    const own = objectOf(body)
    const directives = readDirectives(textOf(own['model']), undefined, account.id)
    const query = new URLSearchParams()
    const rest = { account, headers, query, params: {}, form: undefined, origin, directives }
    const { status, json } = answerLine(endpoint, { ...rest, body: own })
    const response = { status_code: status, request_id: newId('req_'), body: json }
    const entry = { id: newId('batch_req_'), custom_id, response, error: null }
    ;(status === 200 ? outputs : errors).push(JSON.stringify(entry))
    if (status === 200) addUsage(batch, json)
  }
  batch.completed = outputs.length
  batch.failed = errors.length
  batch.status = 'completed'
  batch.output = outputOf(account, batch, 'output', outputs)
  batch.error = outputOf(account, batch, 'error', errors)
}

function answerLine(endpoint: Endpoint, call: Call): { status: number; json: JsonObject } {
  try {
    const { status, message } = call.directives
    if (status !== undefined) throw new Problem(status, message ?? 'sandbox: as directed')
    const reply = endpoint.answer(call)
    return { status: 200, json: 'json' in reply ? reply.json : {} }
  } catch (error) {
    const problem = error instanceof FaultError ? openai.explainFault(error.fault) : error
    if (!(problem instanceof Problem)) throw error
    return { status: problem.status, json: { error: renderOpenAiError(problem) } }
  }
}

function addUsage({ usage }: StoredBatch, json: JsonObject): void {
  const own = objectOf(json['usage'])
  usage.input += numberOf(own['input_tokens'] ?? own['prompt_tokens']) ?? 0
  usage.output += numberOf(own['output_tokens'] ?? own['completion_tokens']) ?? 0
}

function outputOf(account: Account, { id }: StoredBatch, kind: string, lines: string[]) {
  if (lines.length === 0) return undefined
  const head = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  const facts = { filename: `${id}_${kind}.jsonl`, purpose: 'batch_output', expiresAt: undefined }
  return storeFile(account, { ...facts, size: head.length, head }).id
}

function findBatch(account: Account, params: Record<string, string>): StoredBatch {
  const id = params['id'] ?? ''
  const batch = account.batches.get(id)
  if (!batch) throw batchNotFound(id)
  return batch
}

const daySeconds = 86_400

function render(batch: StoredBatch): JsonObject {
  const { id, createdAt, status, total, completed, failed, usage, errors } = batch
  const at = (...states: string[]) => (states.includes(status) ? createdAt : null)
  return {
    id,
    object: 'batch',
    endpoint: batch.endpoint,
    errors: errors.length > 0 ? { object: 'list', data: errors } : null,
    input_file_id: batch.input,
    completion_window: batch.window,
    status,
    output_file_id: batch.output ?? null,
    error_file_id: batch.error ?? null,
    created_at: createdAt,
    in_progress_at: at('in_progress', 'completed'),
    expires_at: createdAt + daySeconds,
    finalizing_at: at('completed'),
    completed_at: at('completed'),
    failed_at: at('failed'),
    expired_at: null,
    cancelling_at: at('cancelling', 'cancelled'),
    cancelled_at: at('cancelled'),
    request_counts: { total, completed, failed },
    model: batch.model === '' ? null : batch.model,
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
    metadata: isObject(batch.metadata) ? batch.metadata : null,
  }
}
