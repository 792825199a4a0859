import type { IncomingHttpHeaders } from 'node:http'

/** A WebSocket of a client, after its handshake. Its messages are texts. */
export interface ClientSocket {
  /** Sends a text. Returns whether the client can take more: if not, `SocketReader.onReady` follows. */
  send(text: string | Buffer): boolean
  /** Reads no further messages until `resume`. Messages that have arrived already may follow. */
  pause(): void
  resume(): void
  /** Sends what waits, then a close frame. The reason has 123 bytes at most. */
  close(code: number, reason: string): void
  /**
   * Serves a request as an exchange of its own, with the client and the headers of the handshake, as if it came over
   * HTTP: with all checks, hooks, limits and logs. The reply goes to `reader`.
   */
  request(request: SocketRequest, reader: ReplyReader): SocketExchange
}

/** A request that a message makes. */
export interface SocketRequest {
  readonly method: 'GET' | 'POST'
  /** With its query, if it has one. */
  readonly path: string
  /** Headers that replace the handshake's, by names in small letters; `undefined` leaves one out. */
  readonly headers?: IncomingHttpHeaders
  /** A JSON text. */
  readonly body: Buffer
}

/** Gets the reply to a request of a socket. */
export interface ReplyReader {
  onHead(status: number, headers: Readonly<Record<string, unknown>>): void
  /** Gets a piece of the body. Returns whether it can take more: if not, it calls `SocketExchange.ready` later. */
  onBytes(bytes: Buffer): boolean
  /** Called once, behind the last byte; `isWhole` is false for a reply that broke off. */
  onEnd(isWhole: boolean): void
}

/** A request of a socket, while it is served. */
export interface SocketExchange {
  /** The reader can take more. */
  ready(): void
  /** The client does not want the reply any more. */
  cancel(): void
}

/** Why a socket has to end: the process shuts down, or the socket has been open for as long as one may be. */
export type SocketEnding = 'drain' | 'expired'

/** Serves a socket. Its functions must not throw. */
export interface SocketReader {
  /** A promise resolves when the message needs no memory any more. */
  onMessage(text: Buffer): Promise<void> | void
  /** The client can take more. */
  onReady(): void
  /** Asks for the end of the socket: the reader closes it once no reply is under way. May be called more than once. */
  onEnding(cause: SocketEnding): void
  /** The socket is closed, by either side. */
  onClose(): void
}

/** Begins to serve a socket, right after its handshake. */
export type ServeSocket = (socket: ClientSocket) => SocketReader

/** Who asks for a socket. */
export interface SocketClient {
  readonly keyId: string
  /** Whether the request names a key. */
  readonly hasCredential: boolean
  /** See `ClientRequest.publicUrl`. */
  readonly publicUrl: string | undefined
}

/**
 * Accepts the handshake of a request: the socket opens when the reply has passed the hooks of all plugins. `protocol` is
 * the subprotocol of the socket, which the client has offered. Absent: the socket has no subprotocol. Throws `GatewayError` for a handshake that is not
 * valid, a page of another origin that names no key, and too many sockets.
 */
export type AcceptSocket = (client: SocketClient, serve: ServeSocket, protocol?: string) => void
