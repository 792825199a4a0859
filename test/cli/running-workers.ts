import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'

import { openPlace, type Place, type Running } from './dragoman.ts'

export const secret = 'secret-of-this-test'

export async function placeWithAccount(url: string): Promise<Place> {
  const place = await openPlace()
  const account = {
    id: 'a',
    provider: 'sandbox',
    baseUrl: url,
    apiKey: 'sandbox-key-a',
    models: ['*'],
  }
  const config = { keys: [{ id: 'team', secret }], accounts: [account], store: 'file:store' }
  await place.write('dragoman.config.json', JSON.stringify(config))
  return place
}

/** The processes that serve now. */
export async function workersOf(parent: number | undefined): Promise<string[]> {
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8')
  return children.trim().split(' ').filter(Boolean)
}

/** Reloads two workers. Resolves when both have, and so serve. */
export async function haveReloaded(server: Running): Promise<void> {
  server.child.kill('SIGHUP')
  for (const worker of [1, 2]) {
    await server.said(new RegExp(`configuration reloaded","worker":${worker}`))
  }
}

/** A connection that has not asked yet. */
export async function openConnection(clients: string) {
  const { hostname, port } = new URL(clients)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk)).on('error', ({ message }) => (text += message))
  await once(socket, 'connect')
  return {
    socket,
    /** Resolves with all that comes back until the connection ends, and the error that ends it. */
    ask(): Promise<string> {
      socket.write('GET /livez HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
      return new Promise((resolve) => socket.once('close', () => resolve(text)))
    },
  }
}
