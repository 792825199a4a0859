import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { promisify } from 'node:util'

import { until } from '../../../src/testing/until.ts'
import { type Image, addMountPoints, buildImage } from './build.ts'
import { type Container, startContainer } from './container.ts'
import { repository } from './dockerfile.ts'

// `npm run test:deploy`: does the steps of the Dockerfile in empty directories, and runs what they make
// with nothing else below its root. Needs the rights of root, for namespaces.

let image: Image
beforeAll(async () => {
  image = await buildImage()
  await addMountPoints(image)
})
afterAll(() => image[Symbol.asyncDispose]())

/** The files of the image, relative to its root. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(join(image.root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(image.root.length + 1))
}

async function bytesBelow(folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)('du', ['-sb', join(image.root, folder)])
  return Number.parseInt(stdout, 10)
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
}

describe('the image', () => {
  test('contains the production tree of the lock file, and no package for developers', async () => {
    const lock: Lock = JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8'))
    const files = await filesBelow('app/node_modules')
    const installed = files.filter((file) =>
      /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file),
    )
    const names = installed.map((file) => file.slice('app/'.length, -'/package.json'.length))
    const wrong = names.filter(
      (name) => lock.packages[name]?.dev !== false && lock.packages[name]?.dev,
    )
    assert.deepEqual(wrong, [])
    assert.deepEqual(
      names.filter((name) => !lock.packages[name]),
      [],
    )
    for (const needed of ['undici', 'graphql', '@redis/client', '@opentelemetry/api'])
      assert.ok(names.includes(`node_modules/${needed}`), needed)
  })

  test('contains no sources, declarations, tests, shells or package managers', async () => {
    const files = await filesBelow('')
    const own = files.filter((file) => file.startsWith('app/') && !file.includes('node_modules'))
    assert.deepEqual([...new Set(own.map((file) => file.split('/')[1] ?? ''))].toSorted(), [
      'CHANGELOG.md',
      'LICENSE',
      'NOTICE',
      'README.md',
      'dist',
      'package.json',
      'schema',
      'schema.graphql',
    ])
    assert.deepEqual(
      files.filter((file) => /\.(?:[mc]?ts|map)$|\.test\.js$/.test(file)),
      [],
    )
    const programs = files.filter(
      (file) => /(?:^|\/)s?bin\//.test(file) && !file.startsWith('app/'),
    )
    assert.deepEqual(programs.toSorted(), [
      'usr/bin/env',
      'usr/local/bin/dragoman',
      'usr/local/bin/node',
    ])
  })

  test('is small', async () => {
    const [all, app, modules] = await Promise.all(['', 'app', 'app/node_modules'].map(bytesBelow))
    const inMegabytes = [all, app, modules].map((bytes = 0) => Math.round(bytes / 1e6))
    console.log(`# image, app, node_modules: ${inMegabytes.join(', ')} MB`)
    assert.ok((inMegabytes[0] ?? 0) < 220, 'the image')
    assert.ok((inMegabytes[1] ?? 0) < 60, 'the package with its dependencies')
  })

  test('runs as a user without rights, and writes only its volume and /tmp', () => {
    assert.equal(image.user, '65532:65532')
    assert.deepEqual(image.volumes, ['/data'])
    assert.equal(image.directory, '/data')
    assert.deepEqual(image.ports, ['8787', '8788'])
  })

  test('is labelled with the version of the package', async () => {
    const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
    assert.equal(image.labels['org.opencontainers.image.version'], version)
    assert.equal(image.labels['org.opencontainers.image.licenses'], 'MIT')
  })
})

/** Asks the gateway of a container, from its network. */
async function ask(container: Container, path: string, init: object = {}): Promise<string> {
  const module = `
    const response = await fetch(${JSON.stringify(`http://127.0.0.1:8787${path}`)}, ${JSON.stringify(init)})
    console.log(response.status)
    for await (const part of response.body) process.stdout.write(part)`
  const client = container.client(module)
  let text = ''
  for await (const part of client.stdout.setEncoding('utf8')) text += part as string
  return text
}

async function keyOf(container: Container): Promise<string> {
  const isUp = () =>
    /Listening on/.test(container.output()) && /dgm_[\w-]+/.test(container.output())
  await until(isUp, 60_000)
  return /dgm_[\w-]+/.exec(container.output())?.[0] ?? ''
}

function post(key: string, body: object): object {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return { method: 'POST', headers, body: JSON.stringify(body) }
}

const messages = [{ role: 'user', content: 'Hello' }]

describe('a container', () => {
  test('serves the first call with its sandbox, is healthy, and ends with the stream under way', async () => {
    await using container = await startContainer(image)
    const key = await keyOf(container)
    const chat = post(key, { model: 'sandbox/echo', messages })
    assert.match(await ask(container, '/v1/chat/completions', chat), /^200\n.*You said: Hello/)

    const health = await container.exec(image.healthcheck)
    assert.deepEqual(health, { code: 0, output: 'http://127.0.0.1:8787/livez answers.\n' })

    const stream = { model: 'sandbox/words=30+pace=100', messages, stream: true }
    const client = container.client(
      `const response = await fetch('http://127.0.0.1:8787/v1/chat/completions', ${JSON.stringify(post(key, stream))})
      for await (const part of response.body) process.stdout.write(part)`,
    )
    let events = ''
    client.stdout.setEncoding('utf8').on('data', (text: string) => (events += text))
    await until(() => events.includes('data:'), 30_000)
    assert.equal(await container.stop(), 0)
    await until(() => events.endsWith('data: [DONE]\n\n'))
    assert.match(container.output(), /Shutting down: 1 exchange in flight/)
    // The start warns of what `check` warns of: without `publicUrl` there are no URLs for uploads.
    const others = container.output().replace(/^.*publicUrl: is not set.*$/m, '')
    assert.doesNotMatch(others, /EROFS|EACCES|EPERM|"level":"(?:warn|error)"/)
  })

  test('is node, as process 1 and the only one', async () => {
    await using container = await startContainer(image)
    await keyOf(container)
    const { output } = await container.exec([
      'node',
      '-p',
      `const { readFileSync, readdirSync } = require('node:fs')
      const status = readFileSync('/proc/1/status', 'utf8')
      const of = (name) => new RegExp(name + ':\\\\s+(.*)').exec(status)[1]
      JSON.stringify({
        command: readFileSync('/proc/1/cmdline', 'utf8').split('\\0')[0],
        uid: of('Uid').split('\\t')[0],
        rights: of('CapEff'),
        others: readdirSync('/proc').filter((name) => /^\\d+$/.test(name) && !['1', String(process.pid)].includes(name)),
      })`,
    ])
    const found = { command: 'node', uid: '65532', rights: '0000000000000000', others: [] }
    assert.deepEqual(JSON.parse(output), found)
  })

  test('takes large forms, whose files wait in /tmp, with its root read-only', async () => {
    await using container = await startContainer(image)
    const key = await keyOf(container)
    const client = container.client(`
      const form = new FormData()
      form.set('model', 'sandbox/echo')
      form.set('prompt', 'a hat')
      form.set('image', new Blob([new Uint8Array(4e6)], { type: 'image/png' }), 'a.png')
      const response = await fetch('http://127.0.0.1:8787/v1/images/edits',
        { method: 'POST', headers: { authorization: 'Bearer ${key}' }, body: form })
      console.log(response.status, await response.text())`)
    let text = ''
    for await (const part of client.stdout.setEncoding('utf8')) text += part as string
    // A form that cannot wait would be a 503.
    assert.match(text, /^(?:200|400) /)
    const write = `require('node:fs').writeFileSync('/app/x', '')`
    assert.match((await container.exec(['node', '-e', write])).output, /EROFS/)
    const resolve = `require('node:dns').lookup('localhost', (error, address) => console.log(error ?? address))`
    assert.equal((await container.exec(['node', '-e', resolve])).output, '127.0.0.1\n')
  })

  test('runs every command, with the records of its volume', async () => {
    await using container = await startContainer(image)
    await keyOf(container)
    const created = await container.exec(['dragoman', 'keys', 'create', '--id', 'team'])
    assert.match(created.output, /dgm_/)
    assert.match((await container.exec(['dragoman', 'keys', 'list'])).output, /team/)
    assert.match((await container.exec(['dragoman', 'config', 'schema'])).output, /trustedProxies/)
    assert.match((await container.exec(['dragoman', '--version'])).output, /^dragoman \d/)
  })
})
