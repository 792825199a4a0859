import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { freePort } from '../bench/children.ts'
import { addressesOf, withoutAdmin, openPlace, statusWithKey } from './dragoman.ts'
import {
  secret,
  placeWithAccount,
  workersOf,
  haveReloaded,
  openConnection,
} from './running-workers.ts'

// Each of these starts three processes or more, and all of them at once.
vi.setConfig({ testTimeout: 90_000 })

/** The states of sockets in `/proc/net/tcp`. */
const [established, listening] = ['01', '0A']

/** The sockets of a server in a state: its connections, accepted or not, or those on which its workers listen. */
async function socketsAt(clients: string, state = established): Promise<number> {
  const port = Number(new URL(clients).port).toString(16).toUpperCase().padStart(4, '0')
  const table = await readFile('/proc/net/tcp', 'utf8')
  // The local address, the remote one, and the state.
  const row = new RegExp(` [0-9A-F]{8}:${port} [0-9A-F]{8}:[0-9A-F]{4} ${state} `, 'g')
  return table.match(row)?.length ?? 0
}

test.concurrent('a stream in flight ends before its worker does', async () => {
  await using sandbox = await startSandbox()
  await using place = await placeWithAccount(sandbox.url)
  const server = place.start(`${withoutAdmin} --workers 2`)
  const { clients } = await addressesOf(server)
  const stream = await fetch(`${clients}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox/words=60+pace=20',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
    }),
  })
  server.child.kill('SIGTERM')
  expect((await stream.text()).trimEnd()).toMatch(/data: \[DONE\]$/)
  expect(await server.ended).toMatchObject({ code: 0 })
})

test.concurrent('a first run with workers welcomes once', async () => {
  await using place = await openPlace()
  const server = place.start(`${withoutAdmin} --workers 2`)
  const { clients } = await addressesOf(server)
  const [, key = ''] = await server.said(/export DRAGOMAN_KEY=(dgm_\S+)\n/)
  await until(async () => (await statusWithKey(clients, key)) === 200)
  expect(server.output.stderr.split('DRAGOMAN_KEY=').length).toBe(2)
  server.child.kill('SIGINT')
  expect(await server.ended).toMatchObject({ code: 0 })
})

test.concurrent('workers that never serve end it all', async () => {
  await using place = await openPlace()
  const module = `
    import cluster from 'node:cluster'
    if (cluster.isWorker) process.exit(7)
    export default { accounts: [] }
  `
  await place.write('dragoman.config.ts', module)
  const { code, stderr } = await place.run(`${withoutAdmin} --store file:store --workers 2`)
  expect(code).toBe(1)
  expect(stderr).toContain('No worker could start.')
  expect(stderr).toMatch(/Worker \d ended \(7\)/)
})

test.concurrent('two gateways with workers never share a port', async () => {
  await using sandbox = await startSandbox()
  await using place = await placeWithAccount(sandbox.url)
  const { clients } = await addressesOf(place.start(`${withoutAdmin} --workers 2`))
  const { port } = new URL(clients)
  for (const words of [`--port ${port} --admin off`, `--port 0 --admin-port ${port}`]) {
    const { code, stderr } = await place.run(`${words} --workers 2`)
    expect(code).toBe(1)
    expect(stderr).toContain(`127.0.0.1:${port} is in use already`)
    expect(stderr).not.toContain('Worker')
  }
})

test.concurrent('of two gateways with workers that start at once on one port, one serves', async () => {
  await using sandbox = await startSandbox()
  await using place = await placeWithAccount(sandbox.url)
  const words = `--port ${await freePort()} --admin off --workers 2`
  const both = [place.start(words), place.start(words)] as const
  const { code, stderr } = await Promise.race(both.map(({ ended }) => ended))
  expect(code).toBe(1)
  expect(stderr).toContain('is in use already')
  const serving = both.find(({ child }) => child.exitCode === null)!
  await haveReloaded(serving)
  const { clients } = await addressesOf(serving)
  for (let asked = 0; asked < 10; asked++) expect(await statusWithKey(clients, secret)).toBe(200)
})

test.concurrent('a worker that is replaced listens where the others do, whatever the file says', async () => {
  await using sandbox = await startSandbox()
  await using place = await placeWithAccount(sandbox.url)
  const server = place.start(`--port 0 --admin off --workers 2`)
  const { clients } = await addressesOf(server)
  await haveReloaded(server)
  const config = await readFile(join(place.path, 'dragoman.config.json'), 'utf8')
  const listen = { host: '127.0.0.2' }
  await place.write('dragoman.config.json', JSON.stringify({ ...JSON.parse(config), listen }))
  for (const worker of await workersOf(server.child.pid)) {
    process.kill(Number(worker), 'SIGKILL')
    await until(async () => {
      const now = await workersOf(server.child.pid)
      return now.length === 2 && !now.includes(worker)
    })
  }
  // Both workers are new now.
  const answers = () => statusWithKey(clients, secret).catch(() => undefined)
  await until(async () => (await answers()) === 200, 20_000)
  const { port } = new URL(clients)
  await expect(openConnection(`http://127.0.0.2:${port}`)).rejects.toThrow('ECONNREFUSED')
})

test.concurrent('where the others serve, one that cannot is tried until it can', async () => {
  await using sandbox = await startSandbox()
  await using place = await placeWithAccount(sandbox.url)
  const sound = await readFile(join(place.path, 'dragoman.config.json'), 'utf8')
  const server = place.start(`${withoutAdmin} --workers 2`)
  const { clients } = await addressesOf(server)
  await until(async () => (await workersOf(server.child.pid)).length === 2)
  await haveReloaded(server)
  await place.write('dragoman.config.json', '{"accounts": 7}')
  for (const worker of [1, 2]) await server.said(new RegExp(`stays in use","worker":${worker}`))
  const [one] = await workersOf(server.child.pid)
  process.kill(Number(one), 'SIGKILL')
  await server.said(/(Worker \d ended \(3\)[\s\S]*){4}/)
  expect(await statusWithKey(clients, secret)).toBe(200)

  await place.write('dragoman.config.json', sound)
  await until(async () => (await workersOf(server.child.pid)).length === 2, 10_000)
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0 })
})

test.concurrent('SIGHUP ends no worker that is only starting', async () => {
  await using sandbox = await startSandbox()
  await using place = await placeWithAccount(sandbox.url)
  const server = place.start(`${withoutAdmin} --workers 3`)
  await until(async () => (await workersOf(server.child.pid)).length === 3)
  server.child.kill('SIGHUP')
  await addressesOf(server)
  await server.said(/configuration reloaded/)
  expect(server.output.stderr).not.toContain('ended')
})

test.concurrent('connections that were made before all workers end are answered', async () => {
  await using sandbox = await startSandbox()
  await using place = await placeWithAccount(sandbox.url)
  const server = place.start(`${withoutAdmin} --workers 2`)
  const { clients } = await addressesOf(server)
  await haveReloaded(server)
  const connections = await Promise.all(Array.from({ length: 400 }, () => openConnection(clients)))
  // The client's side of a connection is established a moment before the server's side.
  await until(async () => (await socketsAt(clients)) === connections.length)
  server.child.kill('SIGTERM')
  const answers = await Promise.all(connections.map((connection) => connection.ask()))
  expect(answers.filter((answer) => !answer.startsWith('HTTP/1.1 200'))).toEqual([])
  expect(await server.ended).toMatchObject({ code: 0 })
})

// Not concurrent: a worker waits 5 seconds for the halted one, and the other tests of this file would use them up.
test('no worker ends a connection while another one listens, which closes next', async () => {
  await using sandbox = await startSandbox()
  await using place = await placeWithAccount(sandbox.url)
  const server = place.start(`${withoutAdmin} --workers 2`)
  const { clients } = await addressesOf(server)
  await haveReloaded(server)
  const connections = await Promise.all(Array.from({ length: 40 }, () => openConnection(clients)))
  await until(async () => (await socketsAt(clients)) === connections.length)
  const [halted] = await workersOf(server.child.pid)
  process.kill(Number(halted), 'SIGSTOP')
  try {
    server.child.kill('SIGTERM')
    await until(async () => (await socketsAt(clients, listening)) === 1)
    const request = 'GET /livez HTTP/1.1\r\nhost: a\r\n\r\n'
    const answers = connections.map(async ({ socket }) => {
      socket.write(request)
      return String(await once(socket, 'data'))
    })
    expect(await Promise.race(answers)).toMatch(/^connection: keep-alive/im)
    expect(connections.filter(({ socket }) => socket.closed)).toEqual([])
  } finally {
    process.kill(Number(halted), 'SIGCONT')
  }
  // The connections end once they are idle.
  expect(await server.ended).toMatchObject({ code: 0 })
})

test.concurrent('a chain begun at one worker goes on at any', async () => {
  await using sandbox = await startSandbox()
  await using place = await placeWithAccount(sandbox.url)
  const server = place.start(`${withoutAdmin} --workers 2`)
  const { clients } = await addressesOf(server)
  await until(async () => (await workersOf(server.child.pid)).length === 2)
  let previous: string | undefined
  for (let turn = 0; turn < 12; turn++) {
    const reply = await fetch(`${clients}/v1/responses`, {
      method: 'POST',
      // Another connection each time, and so another worker.
      headers: { authorization: `Bearer ${secret}`, connection: 'close' },
      body: JSON.stringify({
        model: 'sandbox/words=2',
        input: 'hi',
        previous_response_id: previous,
      }),
    })
    expect(reply.status).toBe(200)
    previous = ((await reply.json()) as { id: string }).id
  }
})
