import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import { newId, nowInSeconds } from '../../ids.ts'
import { type JsonObject, isObject, objectOf, objectsOf, textOf } from '../../json.ts'

const mostLanes = 32
const longestMs = 3_600_000

/** A response that no account stores, with all items up to its end. */
type Latest = { id: string; items: unknown[] }

/** A fault of a message. */
class Fault extends Error {
  readonly code: string | null
  readonly param: string | null

  constructor(message: string, code: string | null = null, param: string | null = null) {
    super(message)
    this.code = code
    this.param = param
  }
}

/**
 * Serves Responses over WebSocket: each `response.create` is the `POST` that it stands for, which the sandbox sends
 * itself, so that both answer alike. What no account stores is known to the connection alone.
 */
export function serveResponsesSocket(client: WebSocket, handshake: IncomingMessage): void {
  const { headers } = handshake
  const url = `http://${headers.host}${handshake.url}`
  const lanes = new Map<string | undefined, Promise<void>>()
  const latest = new Map<string | undefined, Latest>()
  const leaving = new AbortController()
  let isOld = false

  function send(event: JsonObject, lane: string | undefined): void {
    client.send(JSON.stringify({ ...(lane !== undefined && { stream_id: lane }), ...event }))
  }

  function refuse(error: JsonObject, lane: string | undefined, status = 400): void {
    send({ type: 'error', status, error: { type: 'invalid_request_error', ...error } }, lane)
  }

  function refuseOld(): void {
    const message =
      'Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue.'
    refuse({ code: 'websocket_connection_limit_reached', message, param: null }, undefined)
    client.close(1000)
  }

  function take(text: string): void {
    let lane: string | undefined
    try {
      const event = parse(text)
      lane = laneOf(event)
      if (event['type'] !== 'response.create')
        throw new Fault(`Unknown event type: ${String(event['type'])}.`, 'invalid_value', 'type')
      if (event['background'] === true)
        throw new Fault('Background mode is not supported over WebSocket.', null, 'background')
      if (lane !== undefined && !lanes.has(lane) && named(lanes) >= mostLanes)
        throw new Fault(tooManyLanes, 'websocket_stream_limit_reached', 'stream_id')
      if (isOld) return refuseOld()
      const before = lanes.get(lane) ?? Promise.resolve()
      lanes.set(
        lane,
        before.then(() => answer(event, lane)).catch(() => {}),
      )
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      refuse({ code: error.code, message: error.message, param: error.param }, lane)
    }
  }

  async function answer(event: JsonObject, lane: string | undefined): Promise<void> {
    const { type: _type, stream_id: _lane, generate, ...body } = event
    const known = [...latest.values()].find(({ id }) => id === body['previous_response_id'])
    const before = known?.items ?? []
    const input = itemsOf(body['input'])
    if (known) Object.assign(body, { input: [...before, ...input] })
    if (known) delete body['previous_response_id']
    if (generate === false) {
      const id = newId('resp_')
      latest.set(lane, { id, items: [...before, ...input] })
      const response = { id, object: 'response', created_at: nowInSeconds(), output: [] }
      send({ type: 'response.created', response: { ...response, status: 'in_progress' } }, lane)
      return send(
        { type: 'response.completed', response: { ...response, status: 'completed' } },
        lane,
      )
    }
    const reply = await fetch(url, {
      method: 'POST',
      headers: { ...headersOf(headers), 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, stream: true }),
      signal: leaving.signal,
    })
    if (!reply.ok || !reply.body) {
      const { error } = (await reply.json()) as { error: JsonObject }
      return refuse(error, lane, reply.status)
    }
    try {
      for await (const one of eventsOf(reply.body)) {
        const response = objectOf(one['response'])
        if (one['type'] === 'response.completed' && body['store'] === false) {
          const output = objectsOf(response['output']).filter(canReturn)
          latest.set(lane, { id: textOf(response['id']), items: [...before, ...input, ...output] })
        }
        send(one, lane)
      }
    } catch {
      client.terminate()
    }
  }

  const timer = setTimeout(() => (isOld = true), longestMs).unref()
  client.on('error', () => {})
  client.on('close', () => {
    clearTimeout(timer)
    leaving.abort()
  })
  client.on('message', (data, isBinary) => {
    if (isBinary) client.close(1003, 'Binary messages are not supported.')
    else take((data as Buffer).toString())
  })
}

const tooManyLanes = `This WebSocket connection has reached its maximum number of distinct stream IDs (${mostLanes}). Reuse an existing stream_id or open a new WebSocket connection.`

function parse(text: string): JsonObject {
  let event: unknown
  try {
    event = JSON.parse(text)
  } catch {
    throw new Fault('The message is not valid JSON.', 'invalid_json')
  }
  if (!isObject(event)) throw new Fault('The message must be a JSON object.', 'invalid_json')
  return event
}

function laneOf({ stream_id: lane }: JsonObject): string | undefined {
  if (lane === undefined) return undefined
  if (typeof lane === 'string' && /^[\w.-]{1,256}$/.test(lane)) return lane
  const message =
    "The 'stream_id' field must be a non-empty string with at most 256 characters and may only contain letters, numbers, underscores, hyphens, and periods."
  throw new Fault(message, 'invalid_stream_id', 'stream_id')
}

function named(lanes: ReadonlyMap<string | undefined, unknown>): number {
  return lanes.size - Number(lanes.has(undefined))
}

function itemsOf(input: unknown): unknown[] {
  if (Array.isArray(input)) return input
  return input === undefined ? [] : [{ type: 'message', role: 'user', content: input }]
}

/** The `POST` finds no reasoning by its id, which is stored nowhere. */
function canReturn({ type, encrypted_content: content }: JsonObject): boolean {
  return type !== 'reasoning' || typeof content === 'string'
}

/** The headers of the handshake that its requests have, too. */
function headersOf(headers: IncomingMessage['headers']): Record<string, string> {
  const names = [
    'authorization',
    'api-key',
    'openai-beta',
    'openai-organization',
    'openai-project',
    'x-sandbox',
  ]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, String(value)]]
    }),
  )
}

async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<JsonObject> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const data = /^data: (\{.*)$/m.exec(frame)?.[1]
      if (data !== undefined) yield JSON.parse(data) as JsonObject
    }
  }
}
