import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import OpenAI from 'openai-7'
import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { statusWithKey } from '../cli/dragoman.ts'
import { openPage, repository } from './pages.ts'
import { type Shells, openShells, printed } from './shells.ts'

const page = openPage('docs/embedding.md')

/** The files that the names in the page stand for once the package is built and installed. */
const entries = { dragoman: 'src/index.ts', 'dragoman/config': 'config/gateway.config.ts' }

/** A folder with these modules of an application. */
async function openApplication(modules: Readonly<Record<string, string>>): Promise<Shells> {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-embed-'))
  for (const [name, code] of Object.entries(modules)) {
    await writeFile(join(directory, name), installed(code))
  }
  const shells = openShells(directory, {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: join(repository, 'node_modules/.cache/dragoman'),
  })
  return {
    ...shells,
    async [Symbol.asyncDispose]() {
      await shells[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function installed(code: string): string {
  return Object.entries(entries).reduce(
    (text, [name, file]) =>
      text.replaceAll(`from '${name}'`, `from '${pathToFileURL(join(repository, file)).href}'`),
    code,
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const isListening = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

test('an application embeds the gateway as the page shows', async () => {
  const example = page.block('ts', 'a page of the application')
  expect(example.split('\n').filter(Boolean).length).toBeLessThanOrEqual(12)
  await using application = await openApplication({ 'app.mts': example })
  const port = await freePort()
  const env = { PORT: `${port}`, APP_KEY: 'app-key', OPENAI_API_KEY: 'x' }
  const app = application.start('exec node app.mts', env)

  const url = `http://127.0.0.1:${port}`
  await until(() => {
    if (app.child.exitCode !== null) throw new Error(app.output.text)
    return isListening(`${url}/about`)
  })
  expect(await (await fetch(`${url}/about`)).text()).toBe('a page of the application')
  expect(await statusWithKey(url, 'of-a-stranger')).toBe(401)
  const headers = { authorization: 'Bearer app-key' }
  const models = await fetch(`${url}/v1/models`, { headers })
  expect(await models.json()).toMatchObject({ data: [{ id: 'gpt-4.1' }] })
  await printed(app, /"status":200/)
  // Nothing listens on another address of the same machine.
  await expect(fetch(`http://127.0.0.2:${port}/about`)).rejects.toThrow('fetch failed')
})

/** Uses the functions of the page in the order of its sections. */
const driver = `
  import { once } from 'node:events'
  import { createServer } from 'node:http'
  import { listKeys } from 'dragoman'
  import { start } from './store.mts'
  import { reload } from './reload.mts'
  import { stop } from './stop.mts'

  const { store, secret, running } = await start('file:records', 'team')
  const server = createServer(running.listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = { baseUrl: process.env.SANDBOX, apiKey: 'sandbox-key-a' }
  const accounts = [{ id: 'a', provider: 'sandbox', ...at, models: ['sandbox/*'] }]
  reload(running, { accounts })
  try {
    reload(running, { accounts: [{ ...accounts[0], provider: 'sandpit' }] })
  } catch (error) {
    console.log(error.problems[0].path)
  }
  console.log('ready', server.address().port, secret)
  await once(process, 'SIGTERM')
  await stop(running, server)
  console.log('stopped', (await listKeys(store)).map(({ id }) => id))
  await store.close()
`

test('an application keeps the store, reloads and drains as the page shows', async () => {
  await using sandbox = await startSandbox()
  await using application = await openApplication({
    'app.mts': driver,
    'store.mts': page.block('ts', 'openStore'),
    'reload.mts': page.block('ts', 'export function reload'),
    'stop.mts': page.block('ts', 'export async function stop'),
  })
  const app = application.start('exec node app.mts', { SANDBOX: sandbox.url })
  const [, port = '', apiKey = ''] = await printed(app, /ready (\d+) (\S+)/)
  expect(app.output.text).toContain('accounts[0]')

  const url = `http://127.0.0.1:${port}`
  const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })
  const stream = await client.chat.completions.create({
    model: 'sandbox/words=20+pace=20',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
  })
  let finish: string | null | undefined
  for await (const { choices } of stream) {
    if (finish === undefined) app.signal('SIGTERM')
    finish = choices[0]?.finish_reason ?? null
  }
  expect(finish).toBe('stop')
  expect(await app.ended).toBe(0)
  expect(app.output.text).toContain("stopped [ 'team' ]")
  expect(await isListening(url)).toBe(false)
})

const logging = `
  import { once } from 'node:events'
  import { createServer } from 'node:http'
  import { PassThrough } from 'node:stream'
  import { text } from 'node:stream/consumers'
  import { startWithLogs } from './logs.mts'

  const lines = new PassThrough()
  const running = await startWithLogs({ store: 'memory:' }, lines, new PassThrough())
  const server = createServer(running.listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await (await fetch('http://127.0.0.1:' + server.address().port + '/livez')).text()
  server.closeAllConnections()
  server.close()
  await running[Symbol.asyncDispose]()
  lines.end()
  console.log('collected', await text(lines))
`

test('an application takes the logs as the page shows', async () => {
  const logs = page.block('ts', 'createLineWriter')
  await using application = await openApplication({ 'app.mts': logging, 'logs.mts': logs })
  const output = await application.run('node app.mts')
  expect(output).toMatch(/^collected .*"path":"\/livez"/)
})
