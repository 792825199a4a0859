import { type RequestListener, type Server, createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { createTestGateway } from '../../src/testing/index.ts'
import { openPlace } from './dragoman.ts'

interface Probed extends AsyncDisposable {
  readonly port: number
  readonly paths: string[]
}

/** A server whose probes a test answers. */
async function serve(answer: RequestListener): Promise<Probed> {
  const paths: string[] = []
  const server: Server = createServer((request, response) => {
    paths.push(request.url ?? '')
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    paths,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const ok: RequestListener = (_request, response) => void response.end('{}')

test('a gateway that lives is healthy, and one without accounts is not ready', async () => {
  await using gateway = await createTestGateway({})
  await using place = await openPlace()
  const live = await place.call(`healthcheck --url ${gateway.url}`)
  expect(live).toEqual({ code: 0, stdout: `${gateway.url}/livez answers.\n`, stderr: '' })
  const ready = await place.call(`healthcheck --ready --url ${gateway.url}`)
  expect(ready).toMatchObject({ code: 1, stderr: `dragoman: ${gateway.url}/readyz answers 503.\n` })
})

test('the configured address is asked: the environment goes before the file, and the API stands in', async () => {
  await using probed = await serve(ok)
  await using place = await openPlace()
  const { port } = probed
  // What is wrong elsewhere in the file is not the business of a health check.
  await place.write(
    'dragoman.config.json',
    `{ "admin": { "port": ${port}, "host": "0.0.0.0" }, "x": 1 }`,
  )
  expect(await place.call('healthcheck')).toMatchObject({ code: 0 })
  await place.write('dragoman.config.json', `{ "admin": false, "listen": { "port": ${port} } }`)
  expect(await place.call('healthcheck --ready')).toMatchObject({ code: 0 })
  await place.write('dragoman.config.json', '{ "admin": { "port": 1 } }')
  const env = { DRAGOMAN_ADMIN_PORT: String(port) }
  expect(await place.call('healthcheck', env)).toMatchObject({ code: 0 })
  expect(probed.paths).toEqual(['/livez', '/readyz', '/livez'])
  expect(await place.call('healthcheck')).toMatchObject({ code: 1 })
})

test('an environment with the whole address leaves the configuration alone', async () => {
  await using probed = await serve(ok)
  await using place = await openPlace()
  await place.write('dragoman.config.ts', 'throw new Error("loaded")')
  const env = {
    DRAGOMAN_ADMIN: 'on',
    DRAGOMAN_ADMIN_HOST: '127.0.0.1',
    DRAGOMAN_ADMIN_PORT: String(probed.port),
  }
  expect(await place.call('healthcheck', env)).toMatchObject({ code: 0 })
  expect(await place.call('healthcheck')).toMatchObject({ code: 3 })
})

test('a gateway that drips its head for ever is not healthy, and ends no check late', async () => {
  await using probed = await serve((request) => {
    const drip = setInterval(() => request.socket.write('x'), 200)
    request.socket.on('close', () => clearInterval(drip)).write('HTTP/1.1 200 OK\r\nx-slow: ')
  })
  await using place = await openPlace()
  const url = `http://user:hush@127.0.0.1:${probed.port}/?key=hush`
  expect(await place.call(`healthcheck --url ${url}`)).toEqual({
    code: 1,
    stdout: '',
    stderr: `dragoman: http://127.0.0.1:${probed.port}/livez does not answer within 2 s.\n`,
  })
})

test('a redirect and an address that is none are not healthy', async () => {
  await using probed = await serve((_request, response) => {
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  await using place = await openPlace()
  const redirected = await place.call(`healthcheck --url http://127.0.0.1:${probed.port}`)
  expect(redirected).toMatchObject({ code: 1 })
  expect(probed.paths).toEqual(['/livez'])
  expect(await place.call('healthcheck --url nonsense')).toMatchObject({ code: 2 })
  const anyPort = await place.call('healthcheck', { DRAGOMAN_ADMIN_PORT: '0' })
  expect(anyPort.stderr).toContain('name it with --url')
})
