import { mkdir, readFile, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { node, versions } from '../../src/cli/plugin-init/package.ts'
import { repository } from '../docs/pages.ts'
import { openShells } from '../docs/shells.ts'
import { writeCheckout } from '../examples/example.ts'
import { type Place, addressesOf, anyPorts, openPlace } from './dragoman.ts'

vi.setConfig({ testTimeout: 60_000 })

const name = '@acme/dragoman-limits'
const folder = 'dragoman-limits'

/** A place with a new package, and with what an installation brings: the gateway is this checkout. */
async function openPackage(more = '') {
  await using opening = new AsyncDisposableStack()
  const place = opening.use(await openPlace())
  const { code, stderr } = await place.call(`plugin init ${name}${more}`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`cd ${folder}`) })
  const modules = join(place.path, 'node_modules')
  await mkdir(join(modules, 'dragoman'), { recursive: true })
  await writeCheckout(join(modules, 'dragoman'))
  for (const needed of Object.keys(versions)) {
    await mkdir(join(modules, needed, '..'), { recursive: true })
    await symlink(join(repository, 'node_modules', needed), join(modules, needed))
  }
  const path = `${join(repository, 'node_modules/.bin')}:${process.env['PATH']}`
  const shells = opening.use(openShells(join(place.path, folder), { PATH: path }))
  const opened = opening.move()
  return { place, shells, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

function read(place: Place, file: string): Promise<string> {
  return readFile(join(place.path, folder, file), 'utf8')
}

test('`plugin init` writes a package whose own test passes', async () => {
  await using written = await openPackage()
  const output = await written.shells.run('npm test')
  expect(output).toMatch(/lets every dialect through, streamed/)
  expect(output).toMatch(/a request that is too long is refused/)
  expect(output).toMatch(/fail 0/)
})

test('its test names the files: an older Node finds none by itself, and reports success', async () => {
  await using place = await openPlace()
  await place.call(`plugin init ${name}`)
  const { scripts } = JSON.parse(await read(place, 'package.json')) as { scripts: { test: string } }
  expect(scripts.test).toBe('node --test "test/**/*.test.ts"')
})

test('its test fails without what the plugin does', async () => {
  await using written = await openPackage()
  const source = await read(written.place, 'src/index.ts')
  const mutant = source.replace('length <= maxCharacters', 'length >= 0')
  expect(mutant).not.toBe(source)
  await written.place.write(`${folder}/src/index.ts`, mutant)
  await expect(written.shells.run('npm test')).rejects.toThrow(/fail 1/)
})

test('`plugin init --dialect` writes a dialect that both contracts accept', async () => {
  await using written = await openPackage(' --dialect')
  const output = await written.shells.run('npm test')
  expect(output).toMatch(/fail 0/)
  expect(Number(/tests (\d+)/.exec(output)?.[1])).toBeGreaterThan(60)
  const all = await Promise.all(
    ['src/dialect.ts', 'src/codec.ts', 'test/contracts.test.ts'].map((file) =>
      read(written.place, file),
    ),
  )
  expect(all.join('')).not.toMatch(/ollama/i)
})

test('its types fit those of the gateway, also under strict rules', async () => {
  await using written = await openPackage()
  const { place, shells } = written
  // The compiler sees the sources of the gateway in a checkout, which need the rules of the checkout.
  await place.write(
    `${folder}/sources.json`,
    JSON.stringify({
      extends: [join(repository, 'tsconfig.json'), './tsconfig.json'],
      compilerOptions: { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      include: ['src', 'test'],
    }),
  )
  expect(await shells.run('tsc -p sources.json --checkers 1')).toBe('')
})

test('a gateway that names it serves with its options, and refuses others with a fix', async () => {
  await using written = await openPackage()
  const { place } = written
  const secret = 'secret-of-this-test'
  const configure = (options: object) =>
    place.write(
      'dragoman.config.json',
      JSON.stringify({
        keys: [{ id: 'team', secret }],
        accounts: [{ id: 'a', provider: 'openai', apiKey: 'k', models: ['m'] }],
        plugins: [{ use: `./${folder}/src/index.ts`, options }],
      }),
    )

  await configure({ maxCharacters: 10 })
  const { clients } = await addressesOf(place.start(anyPorts))
  const response = await fetch(`${clients}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: 'm', input: 'Hello, hello' }),
  })
  expect(response.status).toBe(422)
  expect(await response.text()).toContain('more than 10 characters')
  expect((await place.run('check')).stdout).toContain(name)
  const printed = await place.run('config print')
  expect(printed.stdout).toMatch(/^plugins\[0\]\.options +file +\{"maxCharacters":10\}/m)

  await configure({ maxCharacters: 'ten' })
  const refused = await place.run('check')
  expect(refused).toMatchObject({ code: 3 })
  expect(refused.stderr).toContain('plugins[0].options.maxCharacters')
})

test('it can be published: a name, its entries, a peer, what it needs, and nothing that runs when it is installed', async () => {
  await using place = await openPlace()
  await place.call(`plugin init ${name}`)
  const manifest = JSON.parse(await read(place, 'package.json'))
  const own = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
  const needed = { ...own.dependencies, ...own.devDependencies } as Record<string, string>
  expect(manifest.peerDependencies).toEqual({ dragoman: `^${own.version}` })
  expect({ ...manifest.dependencies, ...manifest.devDependencies }).toEqual(
    Object.fromEntries(Object.keys(versions).map((each) => [each, `^${needed[each]}`])),
  )
  expect(node).toBe(own.engines.node)
  expect(manifest).toMatchObject({ name, type: 'module', files: ['dist'], engines: { node } })
  expect(manifest).not.toHaveProperty('license')
  expect(Object.keys(manifest.scripts)).toEqual(['check', 'test', 'prepack'])
  expect(await read(place, 'README.md')).toContain(`- use: '${name}'`)
})

test.each([
  ['Acme_Limits', 'Write `acme_limits`.'],
  ['@acme', 'Write `acme`.'],
  ['@acme/.limits', 'Write `@acme/limits`.'],
  ['@acme/limits/deep', 'Choose another name.'],
  ['../limits', 'Write `limits`.'],
  ['node_modules', 'the name is taken. Choose another name.'],
  ['fs', 'the name is taken. Choose another name.'],
  ['dragoman', 'the name is taken. Choose another name.'],
  ['a'.repeat(215), 'npm accepts 214 characters'],
  [
    'circuit-breaker',
    'The gateway has a plugin "circuit-breaker". Write `dragoman-circuit-breaker`.',
  ],
  ['', 'Which name has the package?'],
])('`plugin init %s` writes nothing', async (operand, fix) => {
  await using place = await openPlace()
  const { code, stderr } = await place.call(`plugin init ${operand}`)
  expect(code).toBe(2)
  expect(stderr).toContain(fix)
  expect(await readdir(place.path)).toEqual([])
})

test('`plugin init` writes into an empty directory of any name, and into no other', async () => {
  await using place = await openPlace()
  await mkdir(join(place.path, folder))
  await place.write(`${folder}/notes.txt`, 'mine')
  await place.write('file', 'mine')

  const full = await place.call(`plugin init ${name}`)
  expect(full).toMatchObject({ code: 1 })
  expect(full.stderr).toContain(`${folder} is not empty: nothing is written.`)
  expect(full.stderr).toContain('--directory DIR')
  expect(await readdir(join(place.path, folder))).toEqual(['notes.txt'])
  const other = await place.call(`plugin init ${name} --directory file`)
  expect(other).toMatchObject({ code: 1 })
  expect(other.stderr).toContain('file cannot be written (EEXIST).')

  await place.call(`plugin init ${name} --directory deep/er`)
  expect(await readdir(join(place.path, 'deep/er'))).toContain('package.json')
  await mkdir(join(place.path, 'empty'))
  expect(await place.call(`plugin init ${name} --directory empty`)).toMatchObject({ code: 0 })
  expect((await readdir(join(place.path, 'empty'))).toSorted()).toEqual([
    '.gitignore',
    'README.md',
    'package.json',
    'src',
    'test',
    'tsconfig.build.json',
    'tsconfig.json',
  ])
})
