import type { Dispatcher } from 'undici'

import type { Caller } from '../../../src/contract/request.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import type { ClientSocket } from '../../../src/contract/socket.ts'
import { newId } from '../../../src/lib/ids.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { objectAt, parseOrUndefined, stringAt } from '../../../src/lib/json/read.ts'
import { createNativeRequest } from '../../../src/upstream/native.ts'
import { outcomeOf } from './outcome.ts'

/** The path of the exchanges of responses. Only sockets of this process can ask there. */
const turnPath = '/v1/realtime/responses'

/** The session that a response is a part of. */
export interface TurnOwner {
  readonly caller: Caller
  /** The model, by the name that its client has written. */
  readonly model: string
  readonly accountId: string
}

/** Why the gateway serves no response. */
export interface Refusal {
  /** The error, in OpenAI's own words. */
  readonly error: JsonObject
  /** Whether the same will be true of the next one. */
  readonly isFinal: boolean
}

/** The responses of all sockets of this process that are under way, by the id that stands for each. */
export type Turns = Map<string, Turn>

/** The most bytes of a reply that are read: an error. */
const mostBytes = 64 * 1024

/** How often it is noted that the account goes on, in milliseconds. */
const noteMs = 1_000

/** What undici would control. */
const controller: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  rawHeaders: null,
  rawTrailers: null,
  abort() {},
  pause() {},
  resume() {},
}

/**
 * A response of a session, as an exchange of its own: with the checks of its key, its limits, its row in the ledger and its
 * line in the log. The account answers it over the socket that stands.
 */
export class Turn {
  readonly id = newId('turn_')
  readonly owner: TurnOwner
  /** Resolves when the account may begin, or with the reason why not. */
  readonly admitted: Promise<Refusal | undefined>
  /** Resolves when all that the response has used is counted. */
  readonly settled: Promise<void>
  /** The account's id of the response, once it has begun. */
  responseId: string | undefined
  /** The id that the client gave its `response.create`. */
  readonly eventId: string | undefined
  /** The model that has written down what the user said, in place of a response. */
  readonly transcriber: string | undefined
  /** Whether the client's part of its exchange has ended: with the response, or before it for a deadline or by an operator. */
  isOver = false
  #admit!: (refusal?: Refusal) => void
  #settle!: () => void
  #handler: Dispatcher.DispatchHandler | undefined
  #status = 0
  #notedAt = 0
  #isFinal = false
  #body: Buffer[] = []
  #size = 0

  constructor(
    owner: TurnOwner,
    {
      eventId,
      transcriber,
    }: { eventId?: string | undefined; transcriber?: string | undefined } = {},
  ) {
    this.owner = owner
    this.transcriber = transcriber
    this.eventId = eventId
    this.admitted = new Promise((resolve) => (this.#admit = resolve))
    this.settled = new Promise((resolve) => (this.#settle = resolve))
  }

  /** Asks for the response as an exchange of the socket. */
  begin(client: ClientSocket, turns: Turns, headers: Readonly<Record<string, string>>): void {
    turns.set(this.id, this)
    const body = Buffer.from(JSON.stringify({ turn: this.id }))
    client.request(
      { method: 'POST', path: turnPath, headers, body },
      {
        onHead: (status, given) => {
          this.#status = status
          this.#isFinal = given['x-should-retry'] === 'false'
        },
        onBytes: (bytes) => {
          this.#size += bytes.length
          if (this.#size <= mostBytes) this.#body.push(bytes)
          return true
        },
        onEnd: () => {
          this.isOver = true
          turns.delete(this.id)
          this.#admit(this.#refusal())
          this.#settle()
        },
      },
    )
  }

  /** The gateway has sent the exchange to its account. */
  sent(handler: Dispatcher.DispatchHandler): void {
    this.#handler = handler
    handler.onRequestStart?.(controller, {})
    this.#admit()
  }

  /** The account has begun the response. */
  begun(id: string): void {
    this.responseId = id
    const headers = { 'content-type': 'application/json' }
    this.#handler?.onResponseStart?.(controller, 200, headers, 'OK')
  }

  /** The account goes on with it. */
  goesOn(): void {
    const now = performance.now()
    if (now - this.#notedAt < noteMs) return
    this.#notedAt = now
    this.#handler?.onResponseData?.(controller, space)
  }

  /** The account has ended the response. */
  done(response: object): void {
    const handler = this.#take()
    handler?.onResponseData?.(controller, Buffer.from(JSON.stringify(response)))
    handler?.onResponseEnd?.(controller, {})
  }

  /** The account has refused to begin it. */
  refused(error: object): void {
    const handler = this.#take()
    const headers = { 'content-type': 'application/json' }
    handler?.onResponseStart?.(controller, 400, headers, 'Bad Request')
    handler?.onResponseData?.(controller, Buffer.from(JSON.stringify({ error })))
    handler?.onResponseEnd?.(controller, {})
  }

  /** The connection to the account has broken. */
  broken(): void {
    this.#take()?.onResponseError?.(controller, new Error('The session has ended.'))
  }

  /** The client has left before the end; nothing says what the account has used. */
  left(): void {
    if (this.responseId === undefined) this.begun('')
    this.done({ status: 'cancelled' })
  }

  #take(): Dispatcher.DispatchHandler | undefined {
    const handler = this.#handler
    this.#handler = undefined
    return handler
  }

  #refusal(): Refusal | undefined {
    if (this.#status < 400) return undefined
    const { error } = Object(parseOrUndefined(Buffer.concat(this.#body).toString())) as JsonObject
    const [detail] = (objectAt(error, 'details') ?? []) as unknown as JsonObject[]
    const code = stringAt(detail, 'code') ?? stringAt(error, 'code') ?? null
    const {
      type = 'server_error',
      message = 'The request failed.',
      param = null,
    } = Object(error) as JsonObject
    return { error: { type, code, message, param }, isFinal: this.#isFinal }
  }
}

/** Means nothing in JSON, and shows that the account goes on. */
const space = Buffer.from(' ')

/** Defines the exchanges of responses. To all others than the sockets of this process, there is no such path. */
export function respond(turns: Turns) {
  const turnOf = ({ json, caller }: { readonly json: JsonObject; readonly caller: Caller }) => {
    const turn = turns.get(stringAt(json, 'turn') ?? '')
    if (!turn || turn.owner.caller.keyId !== caller.keyId)
      throw new GatewayError('not_found', 'Responses of sessions are served by their WebSockets.')
    return turn
  }
  return defineOperation({
    id: 'realtime.response',
    method: 'POST',
    paths: [turnPath],
    auth: 'key',
    capability: 'realtime-response',
    overSocket: true,
    hidden: true,
    summary: 'A response of a realtime session',
    understand({ caller }, { json }) {
      const { owner } = turnOf({ json, caller })
      return {
        model: owner.model,
        pin: { pinnedTo: owner.accountId, by: 'realtime', unavailable },
        stream: false,
        refersTo: [],
        edits: [],
        losses: [],
      }
    },
    forward: {
      billed: 'reply',
      async plan(exchange) {
        const turn = turnOf({ json: exchange.body.json, caller: exchange.caller })
        const { attempt, candidate } = exchange
        const { transcriber } = turn
        // It has a price of its own.
        if (transcriber !== undefined)
          attempt.candidate = { ...candidate, upstreamModel: transcriber }
        const outbound = createNativeRequest(exchange, { path: turnPath })
        return {
          outbound: { ...outbound, answer: (handler) => turn.sent(handler) },
          observer() {
            throw new Error('A response of a session is no stream.')
          },
          read: (json) => ({ outcome: outcomeOf(json), body: empty, status: 200 }),
        }
      },
    },
  })
}

const empty = Buffer.from('{}')

function unavailable(reason: string): GatewayError {
  const message = `The account of this session cannot be used any more: ${reason}.`
  return new GatewayError('owner_unavailable', message)
}
