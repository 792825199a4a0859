import { once } from 'node:events'
import { chown, mkdir, stat } from 'node:fs/promises'
import { type Socket, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { longestMessage } from '../../src/stores/bus.ts'
import { openFileBus } from '../../src/stores/file/bus.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from './temporary.ts'

const onError = () => {}

/** A process on the bus that reads nothing, as one that was stopped. */
async function openStopped(directory: string) {
  await mkdir(join(directory, 'bus'), { recursive: true })
  const sockets: Socket[] = []
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    sockets.push(socket.on('error', () => {}))
  }).listen(join(directory, 'bus', 'ssssssss'))
  await once(server, 'listening')
  return {
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

test('a process that does not answer gets one connection', async () => {
  await using directory = await temporaryDirectory()
  await using stopped = await openStopped(directory.path)
  const bus = await openFileBus(directory.path, 'host-1-aaaaaaaa', onError)
  await delay(5_500)
  expect(stopped.sockets).toHaveLength(1)
  await bus.close()
}, 15_000)

test('the end of a process does not wait for one that reads nothing', async () => {
  await using directory = await temporaryDirectory()
  const bus = await openFileBus(directory.path, 'host-1-aaaaaaaa', onError)
  const stopped = connect(join(directory.path, 'bus', 'aaaaaaaa')).on('error', () => {})
  stopped.write('host-9-ssssssss\n')
  // The bus knows the process once its messages arrive there.
  await until(() => {
    bus.publish('')
    return stopped.readableLength > 0
  })
  for (let sent = 0; sent < 8; sent++) bus.publish('x'.repeat(longestMessage))
  const begun = performance.now()
  await bus.close()
  expect(performance.now() - begun).toBeLessThan(3_000)
  stopped.destroy()
}, 10_000)

test('the directory of the sockets belongs to the owner of the store, also if root creates it', async () => {
  await using directory = await temporaryDirectory()
  if (process.getuid?.() === 0) await chown(directory.path, 1_000, 1_000)
  const bus = await openFileBus(directory.path, 'host-1-aaaaaaaa', onError)
  const { uid, gid } = await stat(directory.path)
  const made = await stat(join(directory.path, 'bus'))
  expect({ uid: made.uid, gid: made.gid, mode: made.mode & 0o777 }).toEqual({
    uid,
    gid,
    mode: 0o700,
  })
  await bus.close()
})
