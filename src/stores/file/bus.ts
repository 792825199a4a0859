import { chownSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { type Socket, connect, createServer } from 'node:net'
import { join, relative } from 'node:path'

import { everySeconds } from '../../lib/ticker.ts'
import { within } from '../../lib/deadline.ts'
import { type Bus, type BusListener, longestMessage } from '../bus.ts'
import { storeDeadlineMs } from '../store.ts'

/** The time between two looks for processes that have no connection yet, in seconds. */
const searchSeconds = 2

/** A socket of this age without a process is removed: a younger one may be about to listen. Milliseconds. */
const abandonedMs = 10_000

/** The longest path of a socket that every system takes, in bytes. */
const longestPath = 100

/** How long the end of the bus waits for processes to read what was sent to them, in milliseconds. */
const lastReadMs = 500

/** Bytes that wait for a process that does not read them. Messages beyond are dropped. */
const mostWaiting = 8 * 1024 * 1024

/**
 * A bus between all processes on a `file:` store: the gateway, its workers, other gateways and commands. Each
 * process listens on a socket in the directory of the store, and connects to the sockets that it finds there.
 * The first line in each direction of a connection is the id of the sender, every other one a message.
 * Resolves when the processes that answer at once are connected.
 */
export async function openFileBus(
  storeDirectory: string,
  self: string,
  onError: (error: unknown) => void,
): Promise<Bus> {
  const directory = shortest(join(storeDirectory, 'bus'))
  const listeners: BusListener[] = []
  const peers = new Map<string, Socket>()
  const open = new Set<Socket>()
  /** The sockets with a connection from this side, which a process that was stopped does not answer. */
  const called = new Set<string>()
  let isClosed = false

  const server = createServer((socket) => void serve(socket)).on('error', onError)

  /** Serves a connection. Resolves when the other side has named itself, or the connection has ended. */
  function serve(socket: Socket): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    let id: string | undefined
    let rest = ''
    open.add(socket.unref().setEncoding('utf8'))
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      if (id !== undefined && peers.get(id) === socket) peers.delete(id)
      resolve()
    })
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > longestMessage || lines.some((line) => line.length > longestMessage)) {
        socket.destroy()
        return
      }
      for (const line of lines) {
        if (id !== undefined) for (const one of listeners) one.onMessage(line)
        else {
          id = line
          peers.set(id, socket)
          resolve()
        }
      }
    })
    socket.write(`${self}\n`)
    return promise
  }

  /** Connects to the processes that have no connection to this one. */
  async function search(): Promise<void> {
    const known = new Set([self, ...peers.keys()].map(socketName))
    const names = readdirSync(directory).filter((name) => !known.has(name) && !called.has(name))
    await Promise.all(names.map(connectTo))
  }

  function connectTo(name: string): Promise<void> {
    const path = join(directory, name)
    const socket = connect(path)
    called.add(name)
    socket.once('close', () => called.delete(name))
    socket.once('error', (error) => {
      if ('code' in error && error.code === 'ECONNREFUSED') removeAbandoned(path)
    })
    return serve(socket)
  }

  try {
    const isNew = mkdirSync(directory, { mode: 0o700, recursive: true }) !== undefined
    if (isNew && process.getuid?.() === 0) giveToOwner(directory, storeDirectory)
    const path = join(directory, socketName(self))
    if (Buffer.byteLength(path) > longestPath) throw new Error(`The path ${path} is too long.`)
    const { promise, resolve } = Promise.withResolvers<void>()
    server.once('error', () => resolve())
    server.listen({ path, readableAll: false, writableAll: false }, resolve).unref()
    await promise
    await within(storeDeadlineMs, search(), () => new Error('late')).catch(() => {})
  } catch (error) {
    onError(error)
  }
  const stop = everySeconds(searchSeconds, () => void search().catch(() => {}))

  return {
    publish(message, to) {
      if (isClosed || message.length > longestMessage) return
      for (const [id, socket] of peers) {
        if (to !== undefined && id !== to) continue
        if (socket.writableLength > mostWaiting) for (const one of listeners) one.onGap()
        else socket.write(`${message}\n`)
      }
    },
    listen: (listener) => void listeners.push(listener),
    async close() {
      isClosed = true
      stop()
      for (const socket of open) socket.destroySoon()
      // Node removes the socket with its server.
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      await within(lastReadMs, closed, () => new Error('late')).catch(() => {})
      for (const socket of open) socket.destroy()
    },
  }
}

/** The name of the socket of a process: the part of its id that is random. Paths of sockets are short. */
function socketName(id: string): string {
  return id.slice(-8)
}

/** A path, or the same seen from the directory of the process. */
function shortest(path: string): string {
  const near = relative('', path)
  return near.length < path.length ? near : path
}

/** A command of root must not keep the gateway of another user from its sockets. */
function giveToOwner(directory: string, storeDirectory: string): void {
  try {
    const { uid, gid } = statSync(storeDirectory)
    chownSync(directory, uid, gid)
  } catch {
    // In a container, root may lack this right.
  }
}

/** Removes the socket of a process that was killed. */
function removeAbandoned(path: string): void {
  try {
    if (Date.now() - statSync(path).mtimeMs > abandonedMs) rmSync(path)
  } catch {
    // Another process has removed it.
  }
}
