// Part of `npm run test:deploy`: what `plugin init` writes is tested, compiled and served as its author does.
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { versions } from '../../../src/cli/plugin-init/package.ts'
import { type Place, addressesOf, anyPorts, openPlace } from '../../cli/dragoman.ts'
import { repository } from '../../docs/pages.ts'
import { openShells } from '../../docs/shells.ts'
import { writeCheckout } from '../../examples/example.ts'

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
