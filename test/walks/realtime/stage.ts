import { WebSocket } from 'ws'

import { type ImageStage, imageStage } from '../images/stage.ts'

/** A gateway in front of the sandbox, see `imageStage`. */
export const realtimeStage = imageStage

/** An event of a session. */
export type Event = { readonly type: string } & Readonly<Record<string, unknown>>

/** A client with nothing but a WebSocket. */
export interface Client extends Disposable {
  readonly socket: WebSocket
  readonly events: readonly Event[]
  send(event: object | string): void
  /** Resolves with the first event of a type that no call has returned yet. */
  next(type: string): Promise<Event>
  /** Resolves with the close frame. */
  readonly closed: Promise<{ code: number; reason: string }>
}

/** How a client connects. */
interface ConnectOptions {
  readonly key?: string | undefined
  readonly query?: string
  readonly protocols?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens a session. Rejects with the status and the body of a refused handshake. */
export function connect(
  { gateway }: Pick<ImageStage, 'gateway'>,
  { key = gateway.key, query = 'model=gpt-realtime', protocols, headers }: ConnectOptions = {},
): Promise<Client> {
  const url = `${gateway.url.replace('http', 'ws')}/v1/realtime?${query}`
  const authorization = protocols ? {} : { authorization: `Bearer ${key}` }
  const socket = new WebSocket(url, protocols ? [...protocols] : [], {
    headers: { ...authorization, ...headers },
  })
  const events: Event[] = []
  const taken = new Set<Event>()
  let arrived = Promise.withResolvers<void>()
  let end: Error | undefined
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  socket.on('message', (data: Buffer) => {
    events.push(JSON.parse(data.toString()) as Event)
    arrived.resolve()
    arrived = Promise.withResolvers()
  })
  socket.on('close', (code, reason) => {
    closed.resolve({ code, reason: reason.toString() })
    end = new Error(`The session has ended: ${code} ${reason.toString()}`)
    arrived.resolve()
  })
  const client: Client = {
    socket,
    events,
    closed: closed.promise,
    send: (event) => socket.send(typeof event === 'string' ? event : JSON.stringify(event)),
    async next(type) {
      for (;;) {
        const event = events.find((one) => one.type === type && !taken.has(one))
        if (event) {
          taken.add(event)
          return event
        }
        if (end) throw end
        await arrived.promise
      }
    },
    [Symbol.dispose]: () => socket.terminate(),
  }
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(client))
    socket.once('error', reject)
    socket.once('unexpected-response', (_request, response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => {
        reject(Object.assign(new Error(body), { status: response.statusCode, body }))
        socket.terminate()
      })
    })
  })
}

/** Says a text, and asks for a response. */
export function say(
  client: Client,
  text: string,
  response: object = { output_modalities: ['text'] },
): void {
  client.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  })
  client.send({ type: 'response.create', response })
}
