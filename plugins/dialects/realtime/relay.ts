import type { AccountSocket, AccountSocketReader } from '../../../src/contract/attempt.ts'
import { GatewayError, toGatewayError } from '../../../src/contract/errors.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import type { ClientSocket, SocketEnding, SocketReader } from '../../../src/contract/socket.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import { newId } from '../../../src/lib/ids.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
import type { MaybePromise } from '../../../src/lib/maybe-promise.ts'
import { type ReadAccountEvent, accountEvents, hideKeys, transcription } from './account-events.ts'
import { type ReadClientEvent, clientEvents } from './client-events.ts'
import { type Closing, closingOf, closings, expected } from './closings.ts'
import { Lane } from './lane.ts'
import { transcriberOf } from './session.ts'
import { type Refusal, Turn, type TurnOwner, type Turns } from './turns.ts'

/** What a relay needs. */
interface RelayParts {
  readonly exchange: Routed
  readonly account: AccountSocket
  readonly owner: TurnOwner
  readonly turns: Turns
  /** The account's ephemeral key, which no client learns. */
  readonly upstreamSecret: string | undefined
  /** Headers for the exchanges of responses, which replace the handshake's. */
  readonly headers: (turn: Turn) => Readonly<Record<string, string>>
}

/** How long the client's socket may take to open after the account's, in milliseconds. */
const openingMs = 30_000

/** How long an account has to end the responses of a client that has left, in milliseconds. */
const leavingMs = 5_000

/**
 * One session: passes the messages of the client to the account and back, each side at the pace of the other, and makes an
 * exchange of each response.
 */
export class Relay implements AccountSocketReader {
  readonly #parts: RelayParts
  readonly #readClient: ReadClientEvent
  readonly #readAccount: ReadAccountEvent
  readonly #toAccount: Lane
  readonly #toClient: Lane
  #client: ClientSocket | undefined
  /** Responses that the account has not begun yet, the first first. */
  #asked: Turn[] = []
  /** The responses that the account has begun, by its ids. */
  readonly #begun = new Map<string, Turn>()
  /** The transcriptions of the user's speech that have begun, by their places. */
  readonly #heard = new Map<string, Turn>()
  /** Responses that the gateway has refused after the account began them. */
  readonly #unwanted = new Set<string>()
  /** The model that writes down what the user says. */
  #transcriber: string | undefined
  #ending: Closing | undefined
  #isOver = false
  #hasLeft = false
  /** Ends the account's socket: of a client that has not come, or has left. */
  #closing: NodeJS.Timeout

  constructor(parts: RelayParts) {
    this.#parts = parts
    this.#readClient = clientEvents(parts.exchange)
    this.#readAccount = accountEvents(parts.exchange, parts.upstreamSecret)
    const fail = (error: unknown) => this.#fail(error)
    const client = { pause: () => this.#client?.pause(), resume: () => this.#client?.resume() }
    this.#toAccount = new Lane(client, (message) => this.#fromClient(message), fail)
    this.#toClient = new Lane(parts.account, (message) => this.#fromAccount(message), fail)
    // Until the client's socket is open.
    this.#toClient.block()
    this.#closing = setTimeout(() => parts.account.close(), openingMs).unref()
  }

  /** The client's socket is open. */
  open(client: ClientSocket): SocketReader {
    this.#client = client
    clearTimeout(this.#closing)
    // Its first message may follow in this turn.
    queueMicrotask(() => this.#toClient.unblock())
    return {
      onMessage: (text) => this.#toAccount.push(text),
      onReady: () => this.#toClient.unblock(),
      onEnding: (cause) => this.#endBy(cause),
      onClose: () => this.#left(),
    }
  }

  onMessage(data: Buffer, isBinary: boolean): void {
    if (isBinary)
      throw new GatewayError('upstream_invalid_reply', 'The upstream has sent a binary message.')
    this.#toClient.push(data)
  }

  onReady(): void {
    this.#toAccount.unblock()
  }

  onEnd(end: Parameters<AccountSocketReader['onEnd']>[0]): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#closing)
    for (const turn of [...this.#asked, ...this.#begun.values(), ...this.#heard.values()])
      if (this.#hasLeft) turn.left()
      else turn.broken()
    this.#toAccount.drop()
    const { exchange, upstreamSecret } = this.#parts
    const { account } = exchange.candidate
    const closing = closingOf(end, (text) => hideKeys(text, upstreamSecret, account))
    this.#toClient.end(() => this.#client?.close(...closing))
  }

  #fromClient(message: Buffer): MaybePromise<void> {
    this.#parts.exchange.progress.bytesIn += message.length
    const read = this.#readClient(message)
    if (!(read instanceof Promise)) return this.#pass(message)
    return read.then(
      ({ message: changed, type, eventId }) => {
        if (type === 'response.create') return this.#ask(changed, eventId)
        this.#pass(changed)
      },
      (error: unknown) => this.#tell(ownWords(toGatewayError(error))),
    )
  }

  #pass(message: Buffer): void {
    if (!this.#parts.account.send(message)) this.#toAccount.block()
  }

  /** The client asks for a response: the account gets that when its exchange is admitted. */
  async #ask(message: Buffer, eventId: string | undefined): Promise<void> {
    const turn = this.#newTurn({ eventId })
    if (!turn) return
    const refusal = await turn.admitted
    if (refusal) return this.#refuse(refusal, eventId)
    if (this.#isOver || !this.#client) return turn.left()
    this.#asked.push(turn)
    this.#pass(message)
  }

  #newTurn(about?: ConstructorParameters<typeof Turn>[1]): Turn | undefined {
    const { owner, turns, headers } = this.#parts
    if (!this.#client) return undefined
    const turn = new Turn(owner, about)
    turn.begin(this.#client, turns, headers(turn))
    void turn.settled.then(() => this.#endWith(turn))
    return turn
  }

  #fromAccount(message: Buffer): MaybePromise<void> {
    for (const turn of this.#begun.values()) turn.goesOn()
    const event = this.#readAccount(message)
    const { type, json } = event
    if (type === undefined) return this.#show(event.message)
    if (type.startsWith(transcription)) return this.#hear(type, json, event.message)
    if (type.startsWith('session.')) this.#transcriber = transcriberOf(json['session'])
    const response = objectAt(json, 'response') ?? {}
    const id = stringAt(response, 'id') ?? ''
    if (type === 'response.created') return this.#begin(id, event.message)
    if (type === 'response.done') return this.#done(id, response, event.message)
    if (type === 'error') this.#notBegun(objectAt(json, 'error') ?? {})
    this.#show(event.message)
  }

  #show(message: Buffer): void {
    if (!this.#client) return
    this.#parts.exchange.progress.bytesOut += message.length
    if (!this.#client.send(message)) this.#toClient.block()
  }

  /** The account begins a response: one that the client has asked for, or one at the end of a turn that it has heard. */
  #begin(id: string, message: Buffer): MaybePromise<void> {
    while (this.#isLost(this.#asked[0])) this.#asked.shift()
    const turn = this.#asked.shift()
    if (!turn) return this.#beginUnasked(id, message)
    this.#enter(id, turn)
    if (this.#hasLeft) this.#cancel(id)
    this.#show(message)
  }

  #enter(id: string, turn: Turn): void {
    // An account that repeats an id ends the former response.
    this.#begun.get(id)?.broken()
    turn.begun(id)
    this.#begun.set(id, turn)
  }

  async #beginUnasked(id: string, message: Buffer): Promise<void> {
    const turn = await this.#admit()
    if (turn) {
      this.#enter(id, turn)
      return this.#show(message)
    }
    this.#unwanted.add(id)
    this.#cancel(id)
  }

  /** Admits what the account has begun by itself. `undefined`: the client gets nothing of it. */
  async #admit(about?: ConstructorParameters<typeof Turn>[1]): Promise<Turn | undefined> {
    const turn = this.#newTurn(about)
    const refusal = await turn?.admitted
    if (!refusal) return turn
    this.#refuseBegun(refusal)
    return undefined
  }

  /** What the user said is written down, which is no part of a response and has a use of its own. */
  async #hear(type: string, json: JsonObject, message: Buffer): Promise<void> {
    const place = JSON.stringify([json['item_id'], json['content_index']])
    const turn = this.#heard.get(place) ?? (await this.#admit({ transcriber: this.#transcriber }))
    if (!turn) return
    this.#heard.set(place, turn)
    const isEnd = type === `${transcription}completed`
    if (isEnd) {
      turn.begun('')
      turn.done({ transcription: objectAt(json, 'usage') ?? {} })
    } else if (type === `${transcription}failed`) turn.refused(objectAt(json, 'error') ?? {})
    else return this.#show(message)
    this.#heard.delete(place)
    await turn.settled
    this.#show(message)
    this.#mayEnd()
  }

  /** The client gets the end of a response when all that it has used is counted, so that its next one sees that. */
  #done(id: string, response: object, message: Buffer): MaybePromise<void> {
    if (this.#unwanted.delete(id)) return
    const turn = this.#begun.get(id)
    if (!turn) return this.#show(message)
    this.#begun.delete(id)
    const shown = () => {
      this.#show(message)
      this.#mayEnd()
    }
    if (this.#isLost(turn)) return this.#countLate(id, response).then(shown)
    turn.done(response)
    return turn.settled.then(shown)
  }

  /** Whether an exchange has ended before its response. The exchange of a client that has left goes on. */
  #isLost(turn: Turn | undefined): boolean {
    return turn?.isOver === true && !this.#hasLeft
  }

  /** The exchange of a response has ended before it, as for a client that reads nothing: another one counts what it has used. */
  async #countLate(id: string, response: object): Promise<void> {
    const turn = await this.#admit()
    turn?.begun(id)
    turn?.done(response)
    await turn?.settled
  }

  /** An error of the account may be about a response that the client has asked for. */
  #notBegun(error: JsonObject): void {
    const eventId = stringAt(error, 'event_id')
    const index = this.#asked.findIndex((turn) => turn.eventId === eventId)
    const [turn] = index < 0 ? [] : this.#asked.splice(index, 1)
    turn?.refused(error)
    this.#mayEnd()
  }

  /** An exchange that ends before its response, for a deadline or by an operator, ends that as well. */
  #endWith(turn: Turn): void {
    const { responseId: id } = turn
    if (id !== undefined && this.#begun.get(id) === turn && this.#isLost(turn)) this.#cancel(id)
  }

  #cancel(id: string): void {
    this.#parts.account.send(JSON.stringify({ type: 'response.cancel', response_id: id }))
  }

  #refuse({ error, isFinal }: Refusal, eventId: string | undefined): void {
    this.#tell(error, eventId)
    if (isFinal) this.#client?.close(...closings.refused)
    else this.#mayEnd()
  }

  /** Work that the account has begun costs already: the next would cost again, and count in no limit. */
  #refuseBegun({ error }: Refusal): void {
    this.#refuse({ error, isFinal: true }, undefined)
  }

  #tell(error: JsonObject, eventId?: string): void {
    const event = {
      type: 'error',
      event_id: newId('event_'),
      error: { ...error, event_id: eventId ?? null },
    }
    this.#show(Buffer.from(JSON.stringify(event)))
  }

  #endBy(cause: SocketEnding): void {
    this.#ending = closings[cause]
    this.#mayEnd()
  }

  /** Ends what has to end, once no response is in progress. */
  #mayEnd(): void {
    if (this.#asked.length + this.#begun.size + this.#heard.size > 0) return
    if (this.#hasLeft) this.#parts.account.close()
    else if (this.#ending) this.#client?.close(...this.#ending)
  }

  /** The client's socket has closed. What its responses have used so far is still to be learned. */
  #left(): void {
    const { account } = this.#parts
    this.#client = undefined
    this.#hasLeft = true
    if (this.#isOver) return
    this.#toAccount.drop()
    this.#toClient.unblock()
    for (const id of this.#begun.keys()) this.#cancel(id)
    this.#closing = setTimeout(() => account.close(), leavingMs).unref()
    this.#mayEnd()
  }

  #fail(error: unknown): void {
    if (!expected(error)) this.#parts.exchange.progress.error ??= toGatewayError(error)
    this.#client?.close(...closings.failed)
  }
}

function ownWords(error: GatewayError): JsonObject {
  return (errorEnvelope(error, { errors: 'native' }).body as { error: JsonObject }).error
}
