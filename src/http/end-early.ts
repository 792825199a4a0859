import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { Intake } from '../lib/intake.ts'
import { linger, stateOf } from './connections.ts'

/**
 * Prepares the end of a connection after an answer that is ready before the request's body has
 * arrived: reading on without a limit would let the client hold the connection. Resolves when the answer
 * may be written.
 */
export async function endEarly(response: ServerResponse): Promise<void> {
  // The bytes that Node has read may contain the rest of the body, which it parses after this turn.
  await new Promise(setImmediate)
  if (response.req.complete || response.headersSent) return
  response.setHeader('connection', 'close')
  stateOf(response.req.socket).hasLastAnswer = true
  lingerAtEnd(response.req)
}

/** The same for an answer that the gateway does not write itself. */
export function endIfEarly(response: ServerResponse): void {
  const { req } = response
  response.once('prefinish', () => {
    if (!req.complete) lingerAtEnd(req)
  })
  response.once('finish', () => {
    if (!req.complete) setImmediate(endUnlessComplete, req)
  })
}

/** Node ends a connection by itself only after `connection: close`. */
function endUnlessComplete(request: IncomingMessage): void {
  if (request.complete) return
  stateOf(request.socket).hasLastAnswer = true
  request.socket.destroySoon()
}

/** Node ends a connection with `destroySoon`, which does not wait for the client. */
function lingerAtEnd(request: IncomingMessage): void {
  const { socket } = request
  // Node itself drops a body of which nothing has been read, as fast as it comes.
  request.read()
  let isEnding = false
  socket.destroySoon = () => {
    if (isEnding) return
    isEnding = true
    if (request.complete) return endAndDestroy(socket)
    request.once('end', () => endAndDestroy(socket))
    drop(request)
    linger(socket)
  }
}

/** Limits the bodies that are dropped, apart from those that are used. */
const intake = new Intake()

/** Reads and drops the rest of a body, not all at once. */
function drop(request: IncomingMessage): void {
  request.on('data', (chunk: Buffer) => {
    const ready = intake.takeIn(chunk.length)
    if (!ready) return
    request.pause()
    void ready.then(() => request.resume())
  })
  request.resume()
}

function endAndDestroy(socket: Socket): void {
  if (socket.writableFinished) socket.destroy()
  else socket.once('finish', () => socket.destroy()).end()
}
