import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { openPage, repository } from './pages.ts'

/** The files that the names in the page stand for once the package is built and installed. */
const entries = { dragoman: 'src/index.ts', 'dragoman/config': 'config/gateway.config.ts' }

function embeddingExample(): string {
  const example = openPage('docs/embedding.md').block('ts', "from 'dragoman/config'")
  return Object.entries(entries).reduce(
    (code, [name, file]) =>
      code.replaceAll(`from '${name}'`, `from '${pathToFileURL(join(repository, file)).href}'`),
    example,
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

test('an application embeds the gateway as the page shows', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-embed-'))
  await writeFile(join(directory, 'app.mts'), embeddingExample())
  const port = await freePort()
  const app = spawn(process.execPath, ['app.mts'], {
    cwd: directory,
    env: { PATH: process.env['PATH'], PORT: `${port}`, APP_KEY: 'app-key', OPENAI_API_KEY: 'x' },
  })
  const ended = once(app, 'close')
  let output = ''
  for (const stream of [app.stdout, app.stderr]) stream.on('data', (text) => (output += text))
  await using _ = {
    async [Symbol.asyncDispose]() {
      app.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers })
  await until(async () => {
    if (app.exitCode !== null) throw new Error(`The application has ended:\n${output}`)
    return get('/about').then(
      (response) => response.ok,
      () => false,
    )
  })
  expect(await (await get('/about')).text()).toBe('a page of the application')
  expect((await get('/v1/models')).status).toBe(401)
  const models = await get('/v1/models', { authorization: 'Bearer app-key' })
  expect(await models.json()).toMatchObject({ data: [{ id: 'gpt-4.1' }] })
  await until(() => output.includes('"status":200'))
  // Nothing listens on another address of the same machine.
  await expect(fetch(`http://127.0.0.2:${port}/about`)).rejects.toThrow('fetch failed')
})
