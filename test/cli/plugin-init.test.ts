import { mkdir, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { node, versions } from '../../src/cli/plugin-init/package.ts'
import { repository } from '../docs/pages.ts'
import { openPlace } from './dragoman.ts'
import { name, folder, read } from './written-plugin.ts'

test('its test names the files: an older Node finds none by itself, and reports success', async () => {
  await using place = await openPlace()
  await place.call(`plugin init ${name}`)
  const { scripts } = JSON.parse(await read(place, 'package.json')) as { scripts: { test: string } }
  expect(scripts.test).toBe('node --test "test/**/*.test.ts"')
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
  ['account-health', 'The gateway has a plugin "account-health". Write `dragoman-account-health`.'],
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
