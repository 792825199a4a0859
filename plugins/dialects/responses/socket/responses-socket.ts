import { GatewayError, toGatewayError } from '../../../../src/contract/errors.ts'
import type { Authenticated } from '../../../../src/contract/exchange.ts'
import type { ClientSocket, SocketEnding, SocketReader } from '../../../../src/contract/socket.ts'
import { errorEnvelope } from '../../../../src/kit/error-envelope.ts'
import { newId } from '../../../../src/lib/ids.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectAt, parseOrUndefined } from '../../../../src/lib/json/read.ts'
import { createSemaphore } from '../../../../src/lib/semaphore.ts'
import { nextTurn } from '../../../../src/lib/turns.ts'
import { Histories } from './histories.ts'
import { type Message, bodyOf, itemsOf, joinItems, readMessage } from './message.ts'
import { ReplyEvents, errorMembers, withStreamId } from './reply.ts'

/** As OpenAI's: the responses in progress of one socket, and its lanes with a name. */
const mostInProgress = 16
const mostLanes = 32

/** The messages, and their bytes, that may wait for their turn. The socket reads no further until there are fewer. */
const mostWaiting = 16
const mostWaitingBytes = 1024 * 1024

/** Messages from this size on, in bytes, are read in a turn of the event loop of their own. */
const largeBytes = 64 * 1024

/** The messages without a request that a socket may have. */
const mostFaults = 100

/**
 * Serves a WebSocket of `/v1/responses`: each `response.create` is a request of its own. The requests of one lane are
 * served one after another, different lanes at the same time.
 */
export class ResponsesSocket implements SocketReader {
  readonly #socket: ClientSocket
  readonly #keyId: string
  readonly #path: string
  readonly #beta: string | undefined
  readonly #histories: Histories
  readonly #slots = createSemaphore(mostInProgress)
  readonly #closing = new AbortController()
  /** The ends of the last responses of the lanes. */
  readonly #lanes = new Map<string | undefined, Promise<void>>()
  #reading: Promise<void> = Promise.resolve()
  #waiting = 0
  #waitingBytes = 0
  #inProgress = 0
  #faults = 0
  #ending: SocketEnding | undefined

  constructor({ request, caller }: Authenticated, socket: ClientSocket) {
    this.#socket = socket
    this.#keyId = caller.keyId
    this.#histories = new Histories(caller.keyId)
    this.#path = `/v1/responses${request.query === '' ? '' : `?${request.query}`}`
    this.#beta = withoutSockets(request.headers['openai-beta'])
  }

  /** Resolves when the message needs no memory any more. */
  async onMessage(text: Buffer): Promise<void> {
    this.#wait(1, text.length)
    try {
      const reading = this.#reading.then(() => this.#read(text))
      this.#reading = reading.then(
        () => {},
        () => {},
      )
      await (
        await reading
      )?.started
    } finally {
      this.#wait(-1, -text.length)
    }
  }

  onReady(): void {}

  onEnding(cause: SocketEnding): void {
    this.#ending ??= cause
    this.#endIfIdle()
  }

  onClose(): void {
    this.#closing.abort()
    this.#histories.clear()
  }

  #wait(messages: number, bytes: number): void {
    this.#waiting += messages
    this.#waitingBytes += bytes
    const isFull = this.#waiting > mostWaiting || this.#waitingBytes > mostWaitingBytes
    if (isFull) this.#socket.pause()
    else if (messages < 0) this.#socket.resume()
  }

  /** Reads a message and puts it into its lane. The next message is read afterwards. */
  async #read(text: Buffer): Promise<{ readonly started: Promise<void> } | undefined> {
    if (text.length > largeBytes) await nextTurn(this.#keyId)
    if (this.#closing.signal.aborted) return undefined
    let message: Message | undefined
    try {
      message = readMessage(text)
      if (message.type === 'response.steer') this.#refuseSteer(text)
      else return this.#enterLane(asCreate(message), message)
    } catch (error) {
      this.#fail(toGatewayError(error), message?.streamId)
    }
    if (++this.#faults > mostFaults)
      this.#socket.close(1008, 'Too many messages that are no request.')
    return undefined
  }

  #enterLane(message: Message, { streamId }: Message): { readonly started: Promise<void> } {
    if (this.#ending) throw endingError(this.#ending)
    const before = this.#lanes.get(streamId) ?? Promise.resolve()
    const isNew = streamId !== undefined && !this.#lanes.has(streamId)
    if (isNew && this.#lanes.size - Number(this.#lanes.has(undefined)) >= mostLanes)
      throw tooManyLanes()
    const start = Promise.withResolvers<void>()
    this.#inProgress++
    const served = before.then(() => this.#serve(message, start.resolve))
    const end = served
      .catch((error: unknown) => {
        if (!this.#closing.signal.aborted) this.#fail(toGatewayError(error), streamId)
      })
      .then(() => {
        start.resolve()
        this.#inProgress--
        this.#endIfIdle()
      })
    this.#lanes.set(streamId, end)
    return { started: start.promise }
  }

  async #serve(message: Message, onStart: () => void): Promise<void> {
    using _slot = await this.#slots.take(this.#closing.signal)
    const { previousId, streamId } = message
    const history = previousId === undefined ? undefined : this.#histories.find(previousId)
    if (message.isPreparation) return this.#prepare(message, history)
    const items = message.isUnstored ? joinItems(history ?? nothing, itemsOf(message)) : undefined
    const body = bodyOf(message, history)
    onStart()
    await new Promise<void>((resolve) => {
      const reply = new ReplyEvents({
        socket: this.#socket,
        streamId,
        onOutput:
          items &&
          ((output) => this.#histories.keep(streamId, output.id, joinItems(items, output.items))),
        onEnd: (status) => {
          if (status === 401) this.#socket.close(1008, 'The API key is not valid any more.')
          resolve()
        },
      })
      const headers = { 'openai-beta': this.#beta }
      this.#socket.request({ method: 'POST', path: this.#path, headers, body }, reply)
    })
  }

  /** Keeps the input for the message that continues it. No account is asked: none could keep it for this socket. */
  #prepare(message: Message, history: Buffer = nothing): void {
    const { streamId, model } = message
    if (message.previousId !== undefined && history === nothing) throw notKept()
    const id = newId('resp_')
    this.#histories.keep(streamId, id, joinItems(history, itemsOf(message)))
    const response = {
      ...emptyResponse,
      id,
      created_at: Math.floor(Date.now() / 1_000),
      model: model ?? '',
    }
    const { usage: _, ...begun } = { ...response, status: 'in_progress' }
    this.#send({ type: 'response.created', sequence_number: 0, response: begun }, streamId)
    this.#send({ type: 'response.completed', sequence_number: 1, response }, streamId)
  }

  #refuseSteer(text: Buffer): void {
    const { previous_response_id: id, input } = Object(
      parseOrUndefined(text.toString()),
    ) as JsonObject
    this.#send({
      type: 'response.steer.failed',
      sequence_number: 0,
      steer: { previous_response_id: id, input },
      error: { code: 'steering_not_supported', message: 'The gateway does not steer responses.' },
    })
  }

  #fail(error: GatewayError, streamId?: string): void {
    const { body } = errorEnvelope(error, { errors: 'native' })
    const members = errorMembers(objectAt(body, 'error') ?? {})
    this.#send({ type: 'error', status: error.status, error: members }, streamId)
  }

  #send(event: JsonObject, streamId?: string): void {
    this.#socket.send(withStreamId(event, streamId))
  }

  #endIfIdle(): void {
    if (!this.#ending || this.#inProgress > 0) return
    if (this.#ending === 'expired') this.#fail(endingError('expired'))
    const reason = this.#ending === 'drain' ? 'The gateway is shutting down.' : 'The hour is over.'
    this.#socket.close(1001, `${reason} Connect again.`)
  }
}

const nothing = Buffer.alloc(0)

/** A response without output. */
const emptyResponse = {
  id: '',
  object: 'response',
  created_at: 0,
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  model: '',
  output: [],
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  metadata: {},
  usage: {
    input_tokens: 0,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 0,
  },
}

function asCreate(message: Message): Message {
  if (message.type === 'response.create') return message
  const text = 'The `type` of a message is `response.create`.'
  throw new GatewayError('invalid_value', text, { param: 'type' })
}

function tooManyLanes(): GatewayError {
  const text = `A socket has ${mostLanes} values of \`stream_id\` at most: use one again, or open another socket.`
  return new GatewayError('invalid_value', text, {
    param: 'stream_id',
    upstreamCode: 'websocket_stream_limit_reached',
  })
}

function notKept(): GatewayError {
  const text = 'Only a response of this socket that was not stored can be prepared further.'
  return new GatewayError('previous_response_not_found', text, { param: 'previous_response_id' })
}

/** The error for a message that came too late. */
function endingError(cause: SocketEnding): GatewayError {
  if (cause === 'drain')
    return new GatewayError('draining', 'The gateway is shutting down. Connect again.')
  const text = 'A socket is open for 60 minutes at most. Connect again.'
  const upstreamCode = 'websocket_connection_limit_reached'
  return new GatewayError('invalid_request', text, { upstreamCode })
}

/** The beta features of a handshake that requests over HTTP have, too. */
function withoutSockets(beta: string | string[] | undefined): string | undefined {
  const rest = String(beta ?? '')
    .split(',')
    .filter((one) => !one.trim().startsWith('responses_websockets='))
  return rest.join(',').trim() || undefined
}
