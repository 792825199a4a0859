import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, test } from 'vitest'

import { startSandbox } from '../../src/testing/index.ts'
import { until } from '../../src/testing/until.ts'
import { withoutIds } from '../translate/without-ids.ts'
import { addressed, openPage, repository } from './pages.ts'

/** The files that the names in the page stand for once the package is built and installed. */
const entries = { dragoman: 'src/index.ts', 'dragoman/config': 'config/gateway.config.ts' }

/** How long the process of the example may take to start on a busy machine. */
const startMs = 25_000

/** The stream of a Messages client from the example of the page, after this change to its code. */
async function streamOf(change: (example: string) => string): Promise<string> {
  await using stack = new AsyncDisposableStack()
  const sandbox = await startSandbox()
  stack.defer(() => sandbox.close())
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-fast-path-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const port = await freePort()
  const example = addressed(openPage('docs/fast-path.md').block('ts', 'fastPath'), {
    sandbox: sandbox.url,
  }).replace('listen(8787', `listen(${port}`)
  const code = Object.entries(entries).reduce(
    (text, [name, file]) =>
      text.replaceAll(`from '${name}'`, `from '${pathToFileURL(join(repository, file)).href}'`),
    change(example),
  )
  await writeFile(join(directory, 'app.mts'), code)
  const app = spawn(process.execPath, ['app.mts'], { cwd: directory, stdio: 'ignore' })
  const ended = once(app, 'close')
  stack.defer(async () => {
    app.kill('SIGKILL')
    await ended
  })
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/v1/messages`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': 'my-secret',
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify({
        model: 'sandbox/words=50',
        max_tokens: 256,
        stream: true,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    })
  let response: Response | undefined
  await until(async () => {
    if (app.exitCode !== null) throw new Error('The example has ended.')
    response = await ask().catch(() => undefined)
    return response !== undefined
  }, startMs)
  return withoutIds(await response!.text())
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('the example of the page streams the same bytes as with the fast path', async () => {
  const off = await streamOf((example) => example)
  const on = await streamOf((example) => example.replace('fastPath: false', 'fastPath: true'))
  expect(off).toContain('event: message_stop')
  expect(off.match(/event: content_block_delta/g)?.length).toBeGreaterThan(20)
  expect(on).toBe(off)
})
