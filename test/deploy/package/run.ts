// Part of `npm run test:deploy`: builds, packs and installs the package, and uses it as its users do.
import { once } from 'node:events'
import { access, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { examples, secrets } from '../../configuration/page.ts'
import { openPage } from '../../docs/pages.ts'
import { consumerFiles, copyExamples, typeCheck, writeConsumer } from './consumer.ts'
import { type Installed, installPacked } from './installed.ts'
import { entries, manifest } from './manifest.ts'
import { packInto, provideCompiler } from './new-plugin.ts'

/** To build, pack, install and type-check it takes some 10 s each, and longer on a machine with other work. */
const patienceMs = 240_000

const cleanup = new AsyncDisposableStack()
let installed: Installed
beforeAll(async () => void (installed = cleanup.use(await installPacked())), patienceMs)
afterAll(() => cleanup.disposeAsync())

describe('the tarball', () => {
  test('contains every file that package.json names', () => {
    const named = [...Object.values(manifest.bin), ...entries.flatMap(({ files }) => files)]
    const missing = named.filter((path) => !installed.files.includes(posix.normalize(path)))
    expect(missing).toEqual([])
    expect(named.length).toBeGreaterThan(8)
  })

  test('contains the schemas, the README, the license and what the pages point to, and else only what is built', () => {
    const read = /^(?:dist|docs|examples)\//
    const others = installed.files.filter((path) => !read.test(path))
    for (const page of ['docs/dialects.md', 'examples/dialect-ollama/dialect.ts']) {
      expect(installed.files).toContain(page)
    }
    expect(others.filter((path) => path !== 'CHANGELOG.md').toSorted()).toEqual([
      'LICENSE',
      'NOTICE',
      'README.md',
      'package.json',
      'sbom.spdx.json',
      'schema.graphql',
      'schema/dragoman.config.schema.json',
    ])
    const built = installed.files.flatMap((path) => /^dist\/([^/]+)/.exec(path)?.[1] ?? [])
    const entered = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === 'object' ? entry.default.slice('./dist/'.length) : [],
    )
    const shared = /-[\w-]{8}\.js$/
    expect(new Set(built.filter((name) => !shared.test(name)))).toEqual(
      new Set([...entered, 'main.js', 'writer-thread.js', 'console', 'types']),
    )
  })

  test('contains a bill of materials, of the dependencies that users install and no others', async () => {
    const { dependencies, devDependencies, name, version } = manifest
    const text = await readFile(join(installed.folder, 'node_modules', name, 'sbom.spdx.json'))
    const bill = JSON.parse(text.toString()) as {
      spdxVersion: string
      name: string
      packages: { name: string; versionInfo: string }[]
    }
    expect([bill.spdxVersion, bill.name]).toEqual(['SPDX-2.3', `${name}@${version}`])
    const named = new Map(bill.packages.map((one) => [one.name, one.versionInfo]))
    expect(Object.fromEntries(named)).toMatchObject(dependencies)
    // A dependency of a dependency may be one of development too.
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
      packages: Record<string, { dev?: boolean }>
    }
    const ours = Object.keys(devDependencies).filter((one) => packages[`node_modules/${one}`]?.dev)
    expect(ours.length).toBeGreaterThan(20)
    expect(ours.filter((one) => named.has(one))).toEqual([])
  })

  test('contains modules, their types and data, and no source maps: their sources are not packed', () => {
    const built = installed.files.filter((path) => /^dist\/(?!console\/)/.test(path))
    expect(built.filter((path) => !/(?<!\.d)\.js$|\.d\.ts$|\.generated\.json$/.test(path))).toEqual(
      [],
    )
    expect(built.length).toBeGreaterThan(1_000)
  })

  test('contains the console as it is built, with the licenses of its libraries, none of which users install', async () => {
    const built = installed.files.flatMap((path) => /^dist\/console\/(.*)/.exec(path)?.[1] ?? [])
    const others = built.filter((path) => !path.startsWith('assets/'))
    const around = ['.stamp', 'icon.svg', 'index.html', 'licenses.txt', 'operations.json']
    expect(others.toSorted()).toEqual(around)
    expect(built.filter((path) => /\.js(?:\.br|\.gz)?$/.test(path))).toHaveLength(3)
    const text = await readFile(
      join(installed.folder, 'node_modules', manifest.name, 'dist/console/licenses.txt'),
      'utf8',
    )
    expect(text).toContain('\nreact-dom ')
    expect(text).toContain('SIL OPEN FONT LICENSE')
    for (const name of ['react', 'vite', '@tanstack/react-router', 'playwright-core'])
      await expect(access(join(installed.folder, 'node_modules', name))).rejects.toThrow()
  })
})

describe('in an application', () => {
  test('the command prints the version', async () => {
    expect(await installed.run(['dragoman', '--version'])).toContain(`dragoman ${manifest.version}`)
  })

  test.each(examples)('the command checks $name', async ({ name, text }) => {
    await installed.write(name, text)
    const report = await installed.run(['dragoman', 'check', '--config', name], secrets)
    expect(report).toMatch(/Summary[^]*no problems/i)
  })

  test('the command serves', async () => {
    await installed.write('empty.json', JSON.stringify({ keys: [{ id: 'me', secret: 'my-key' }] }))
    const anyPorts = ['--port', '0', '--admin-port', '0']
    const server = installed.start(['dragoman', '--config', 'empty.json', ...anyPorts])
    try {
      let said = ''
      server.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
      const url = () => /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
      await until(() => url() !== undefined, 15_000)
      const headers = { authorization: 'Bearer my-key' }
      const models = await fetch(`${url()}/v1/models`, { headers })
      expect(await models.json()).toMatchObject({ object: 'list', data: [] })
      const console = await fetch(`${/http:\/\/\S+(?= \(admin\))/.exec(said)?.[0]}/console/`)
      expect(await console.text()).toContain('<script type="module"')
    } finally {
      server.kill('SIGKILL')
      await once(server, 'close')
    }
  })

  test('the command writes to a store of its own', async () => {
    await installed.write('stored.json', JSON.stringify({ store: 'file:./stored' }))
    const words = ['--config', 'stored.json'] as const
    await installed.run(['dragoman', 'keys', 'create', 'a-team', ...words])
    expect(await installed.run(['dragoman', 'keys', 'list', ...words])).toContain('a-team')
  })

  test('every entry can be imported', async () => {
    await writeConsumer(installed)
    const sizes: number[] = JSON.parse(await installed.run(['node', 'entries.ts']))
    expect(sizes).toHaveLength(entries.length)
    expect(Math.min(...sizes)).toBeGreaterThan(0)
  })

  test('the schema of the admin API is found by its name', async () => {
    const print = "import { readFileSync } from 'node:fs'\n"
    const url = "new URL(import.meta.resolve('dragoman/schema.graphql'))"
    await installed.write('schema.ts', `${print}console.log(readFileSync(${url}, 'utf8'))`)
    expect(await installed.run(['node', 'schema.ts'])).toContain('type Query {')
  })

  test.each(['nodenext', 'bundler'] as const)(
    'every entry has its types, and the examples fit them, where modules resolve as in "%s"',
    async (resolution) => {
      await writeConsumer(installed)
      const modules = await copyExamples(installed)
      expect(await typeCheck(installed, resolution, [...consumerFiles, ...modules])).toBe('')
    },
    patienceMs,
  )

  test('`plugin init` writes a package that can be checked, tested, packed and named', async () => {
    const [name, folder] = ['@acme/dragoman-limits', 'dragoman-limits']
    await installed.run(['dragoman', 'plugin', 'init', name])
    await provideCompiler(installed)
    expect(await installed.run(['npm', '--prefix', folder, 'run', 'check'])).not.toContain('error')
    expect(await installed.run(['npm', '--prefix', folder, 'test'])).toContain('fail 0')
    const files = await packInto(installed, folder, name)
    expect(files).toEqual(['README.md', 'dist/index.d.ts', 'dist/index.js', 'package.json'])
    const options = { maxCharacters: 10 }
    await installed.write('limited.json', JSON.stringify({ plugins: [{ use: name, options }] }))
    const words = ['--config', 'limited.json'] as const
    expect(await installed.run(['dragoman', 'check', ...words])).toContain(name)
    expect(await installed.run(['dragoman', 'config', 'print', ...words])).toContain(
      JSON.stringify(options),
    )
  })

  test('`plugin init --dialect` writes a package that can be checked, tested and packed', async () => {
    const [name, folder] = ['@acme/dragoman-chatter', 'dragoman-chatter']
    await installed.run(['dragoman', 'plugin', 'init', name, '--dialect'])
    await provideCompiler(installed)
    expect(await installed.run(['npm', '--prefix', folder, 'run', 'check'])).not.toContain('error')
    expect(await installed.run(['npm', '--prefix', folder, 'test'])).toContain('fail 0')
    const files = await packInto(installed, folder, name)
    expect(files).toContain('dist/codec.js')
    await installed.write('chatter.json', JSON.stringify({ plugins: [{ use: name }] }))
    expect(await installed.run(['dragoman', 'check', '--config', 'chatter.json'])).toContain(name)
  })

  test('the command of the page of examples copies them so that they run', async () => {
    const command = openPage('examples/README.md').commands('cp')
    expect(command).toHaveLength(1)
    await installed.run(['sh', '-c', command[0] ?? ''])
    const folder = 'examples/plugins/guardrail'
    expect(await installed.run(['npm', '--prefix', folder, 'test'])).toContain('fail 0')
    await installed.run(['npm', '--prefix', folder, 'start', '--', 'check'])
  })

  test('the tests of the examples pass', async () => {
    const tests = (await copyExamples(installed)).filter((path) => path.endsWith('.test.ts'))
    expect(tests).toHaveLength(5)
    expect(await installed.run(['node', '--test', ...tests])).toContain('fail 0')
  })
})
