import { readdir, rename, utimes } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { type Bus, longestMessage } from '../../src/stores/bus.ts'
import { openFileBus } from '../../src/stores/file/bus.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from './temporary.ts'

function hear(bus: Bus): string[] {
  const messages: string[] = []
  bus.listen({ onMessage: (message) => void messages.push(message), onGap() {} })
  return messages
}

const failures: unknown[] = []
const onError = (error: unknown) => void failures.push(error)

async function openThree(open: (self: string) => Promise<Bus>) {
  const buses = [await open('host-1-aaaaaaaa'), await open('host-2-bbbbbbbb')]
  buses.push(await open('host-3-cccccccc'))
  const heard = buses.map(hear)
  // A process that has connected may not have been heard by the other side yet.
  for (const [index, bus] of buses.entries()) {
    await until(() => {
      bus.publish(`from ${index}`)
      return heard.every((all, other) => other === index || all.includes(`from ${index}`))
    })
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
  for (const all of heard) all.length = 0
  return { buses, heard, close: () => Promise.all(buses.map((bus) => bus.close())) }
}

test.each(['file', 'memory'] as const)(
  'the processes on a %s store hear each other, and one alone where it is named',
  async (kind) => {
    await using directory = await temporaryDirectory()
    const memory = openMemoryStore()
    const { buses, heard, close } = await openThree((self) =>
      kind === 'file' ? openFileBus(directory.path, self, onError) : memory.openBus(self, onError),
    )
    const [one, two, three] = heard
    buses[0]!.publish('to all')
    buses[2]!.publish('to the first', 'host-1-aaaaaaaa')
    const long = 'x'.repeat(longestMessage)
    buses[1]!.publish(long)
    await until(() => one!.length === 2 && two!.length === 1 && three!.length === 2)
    expect([one, two, three]).toEqual([['to the first', long], ['to all'], ['to all', long]])
    await buses[1]!.close()
    buses[0]!.publish('later')
    await until(() => three!.includes('later'))
    expect(two).toEqual(['to all'])
    await close()
    expect(failures).toEqual([])
  },
)

test('a process that was killed leaves a socket, which the next one removes', async () => {
  await using directory = await temporaryDirectory()
  const one = await openFileBus(directory.path, 'host-1-aaaaaaaa', onError)
  const place = join(directory.path, 'bus')
  const killed = createServer().listen(join(place, 'kkkkkkkk'))
  await new Promise((resolve) => killed.once('listening', resolve))
  // As the end of the process would leave it: a name without a listener.
  await rename(join(place, 'kkkkkkkk'), join(place, 'dddddddd'))
  await new Promise((resolve) => killed.close(resolve))
  const two = await openFileBus(directory.path, 'host-2-bbbbbbbb', onError)
  expect(await readdir(place)).toContain('dddddddd')
  const old = new Date(Date.now() - 60_000)
  await utimes(join(place, 'dddddddd'), old, old)
  await until(async () => !(await readdir(place)).includes('dddddddd'), 10_000)
  const heard = hear(one)
  two.publish('still')
  await until(() => heard.includes('still'))
  await Promise.all([one.close(), two.close()])
  expect(await readdir(place)).toEqual([])
})

test('a stranger who sends an endless line is cut off, and the others go on', async () => {
  await using directory = await temporaryDirectory()
  const [one, two] = [
    await openFileBus(directory.path, 'host-1-aaaaaaaa', onError),
    await openFileBus(directory.path, 'host-2-bbbbbbbb', onError),
  ]
  const heard = hear(one)
  const stranger = connect(join(directory.path, 'bus', 'aaaaaaaa'))
  stranger.on('error', () => {}).resume()
  const closed = new Promise((resolve) => stranger.once('close', resolve))
  stranger.write('host-9-eeeeeeee\n')
  stranger.write('x'.repeat(longestMessage + 1))
  await closed
  two.publish('sound')
  await until(() => heard.includes('sound'))
  expect(heard).toEqual(['sound'])
  await Promise.all([one.close(), two.close()])
})
